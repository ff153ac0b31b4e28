"""The toolkit under one name: `from othello.gui import ui`, then `ui.Row(...)`."""

from othello.gui.toolkit.accessibility_tree import *
from othello.gui.toolkit.controls import *
from othello.gui.toolkit.field import *
from othello.gui.toolkit.focus import *
from othello.gui.toolkit.inputs import *
from othello.gui.toolkit.layout import *
from othello.gui.toolkit.list_view import *
from othello.gui.toolkit.shapes import *
from othello.gui.toolkit.style import *
from othello.gui.toolkit.table import *
from othello.gui.toolkit.text import *
from othello.gui.toolkit.widget import *
from othello.gui.toolkit.widget_tree import *
