"""The public names of the toolkit, under one name: `from othello.gui import ui`, then `ui.Row(...)`."""

from othello.gui.toolkit.button import BUTTON_HEIGHT, Button, Entry, Picture
from othello.gui.toolkit.card import Bar, Card, Page, Veil
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.inputs import (
    Compose,
    Input,
    Key,
    Point,
    PointAt,
    PressAt,
    PressRight,
    Reach,
    Release,
    Scroll,
    Use,
)
from othello.gui.toolkit.layout import (
    Column,
    Container,
    First,
    Flow,
    FocusGrid,
    FocusGroup,
    Grid,
    Parts,
    Placing,
    Row,
    Space,
    Stack,
)
from othello.gui.toolkit.panel import Canvas, Panel, place, stops
from othello.gui.toolkit.rows import Item, Made, Pick, Rows
from othello.gui.toolkit.shapes import (
    arc,
    box,
    circle,
    cross,
    distance_from,
    draw_check,
    draw_chevron,
    draw_line,
    draw_scroll_bar,
    fill_polygon,
    fill_rounded,
    fill_share,
    inside,
    ring,
    surface_of,
)
from othello.gui.toolkit.spoken import Spoken, table
from othello.gui.toolkit.stage import Stage
from othello.gui.toolkit.style import RGB, Box, Palette, Size, Style, blit_text, contrast, readable
from othello.gui.toolkit.switches import Check, Choice, Select, Several, Slider, draw_badge, draw_segment, draw_tile
from othello.gui.toolkit.telling import Telling
from othello.gui.toolkit.words import Label, Paragraph
