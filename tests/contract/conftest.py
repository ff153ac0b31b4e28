from tests.gui.conftest import _english, _keys_are_up, open_window

__all__ = ["_english", "_keys_are_up", "open_window"]
