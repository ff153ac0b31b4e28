"""Small values, compared by what they hold."""

from dataclasses import field, replace

import pytest

from othello.frozen_dataclass import FrozenDataclass


class Point(FrozenDataclass):
    x: int
    y: int = 2


class Named(FrozenDataclass, kw_only=True):
    name: str = "here"


class Spot(Named):
    x: int


class Counted(FrozenDataclass):
    seen: list[int] = field(default_factory=list, compare=False)
    name: str = ""

    def __post_init__(self) -> None:
        self.seen.append(1)


def test_values_with_equal_class_and_fields_are_equal() -> None:
    assert Point(1) == Point(1, 2) == Point(y=2, x=1)
    assert hash(Point(1)) == hash(Point(1, 2))
    assert Named() == Named()
    assert Point(1) != Point(2)
    assert Spot(1) != type("Other", (Spot,), {})(1)
    assert repr(Point(1)) == "Point(x=1, y=2)"
    first, other = Counted(), Counted()
    first.seen.append(2)
    assert (first.seen, other.seen) == ([1, 2], [1])
    assert first == other != Counted(name="x")


def test_fields_are_positional_or_keywords_and_no_others() -> None:
    assert (Spot(3).x, Spot(3).name, Spot(3, name="there").name) == (3, "here", "there")
    match Spot(3):
        case Spot(x):
            assert x == 3
    for values, named in ((), {}), ((), {"y": 1}), ((), {"x": 1, "z": 3}), ((1, 2, 3), {}):
        with pytest.raises(TypeError, match="Point takes"):
            Point(*values, **named)
    with pytest.raises(TypeError, match="Spot takes"):
        Spot(3, "there")  # type: ignore[call-arg]


def test_values_are_immutable() -> None:
    point = Point(1)
    assert replace(point, y=5) == Point(1, 5)
    with pytest.raises(AttributeError):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x
    assert point == Point(1)
