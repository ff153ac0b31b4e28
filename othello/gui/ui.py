"""The toolkit under one name: `from othello.gui import ui`, then `ui.Row(...)`."""

from othello.gui.toolkit.button import *
from othello.gui.toolkit.card import *
from othello.gui.toolkit.field import *
from othello.gui.toolkit.focus import *
from othello.gui.toolkit.inputs import *
from othello.gui.toolkit.layout import *
from othello.gui.toolkit.panel import *
from othello.gui.toolkit.rows import *
from othello.gui.toolkit.shapes import *
from othello.gui.toolkit.stage import *
from othello.gui.toolkit.style import *
from othello.gui.toolkit.switches import *
from othello.gui.toolkit.telling import *
from othello.gui.toolkit.words import *
