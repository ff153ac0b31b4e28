"""Dialogs of the window: one module for each topic, and their base class in `dialog`."""
