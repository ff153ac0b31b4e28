from tests.gui.conftest import _restored, open_window

__all__ = ["_restored", "open_window"]
