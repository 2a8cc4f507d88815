"""Quantity: a float that carries more than its value, and ``same``, which compares all of it.

What stands for one number is a number: it goes into numpy, data frames, JSON and other people's programs as a float
does, and arithmetic on it gives a plain float. What stands for a decision (a comparison, a gate, a plan) or for a
distribution (a posterior) is none: which of its numbers would be meant?

Three traps decided how it is made. A dataclass would become a struct column in polars, so fields are annotations
alone. With ``__iter__`` or ``__len__`` pandas takes it for a list, so it unpacks by ``__getitem__``. And programs make
numbers of a number's own type (``statistics.mean`` builds ``type(x)(Fraction)``), so the class called with a bare
number gives a float.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError
from typing import Any, ClassVar, Self, dataclass_transform

from howsure.errors import quoted
from howsure.errors.messages import results as messages


class Later:
    """The value of a field that is found when somebody looks: a standard error that nobody reads costs nothing."""

    __slots__ = ("find",)

    def __init__(self, find: Callable[[], Any]) -> None:
        self.find = find


def later(find: Callable[[], Any]) -> Any:
    """Return a value to be found when somebody looks at the field that it is given for."""
    return Later(find)


@dataclass_transform(frozen_default=True)
class Quantity(float):
    """A float with named fields, the first of which is its value; immutable.

    A subclass lists its fields as annotations, defaults beside them, as a dataclass does. Equality, order and hash are
    the value's; ``same`` compares every field but the ``hidden`` ones, which a pickle leaves behind as well. A field
    may be given as ``Later``: it is found at the first look and kept.
    """

    hidden: ClassVar[frozenset[str]] = frozenset()
    _defaults: ClassVar[dict[str, Any]] = {}
    _names: ClassVar[frozenset[str]] = frozenset()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        own = (name for name, kind in cls.__annotations__.items() if not str(kind).startswith("ClassVar"))
        cls.__match_args__ = tuple(dict.fromkeys((*cls.__match_args__, *own)))  # type: ignore[misc]
        cls._names = frozenset(cls.__match_args__)
        defaults = {name: vars(cls)[name] for name in cls.__match_args__ if name in vars(cls)}
        cls._defaults = cls._defaults | defaults
        for name in defaults:
            delattr(cls, name)  # an attribute of the class would hide a field that is found later

    def __new__(cls, *values: Any, **fields: Any) -> Self:
        """Make one of its fields; of a bare number make a float, as programs expect that build a number's own type."""
        if len(values) < 2 and not fields:
            return float(*values)  # type: ignore[return-value]
        held = _bound(cls, values, fields)
        first = cls.__match_args__[0]
        held[first] = number = float(held[first])
        later = {name: value for name, value in (held if values else fields).items() if type(value) is Later}
        for name in later:
            del held[name]
        held["_later"] = later
        made = super().__new__(cls, number)
        object.__setattr__(made, "__dict__", held)
        return made

    def __getattr__(self, name: str) -> Any:
        """Return a field that was left for later, and keep it."""
        later = self.__dict__.get("_later", {})
        if name not in later:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        self.__dict__[name] = later[name].find()
        return self.__dict__[name]

    def replace(self, **changes: Any) -> Self:
        """Return the same with other values of some fields."""
        return type(self)(**(self.as_given() | changes))

    def as_given(self) -> dict[str, Any]:
        """Return the fields by name, those that nobody has looked at yet still as ``Later``."""
        held = vars(self).copy()
        return {**held.pop("_later"), **held}

    __replace__ = replace

    def same(self, other: object) -> bool:
        """Return whether everything is equal, not the value alone: limits, method, level, notes; nan is like nan."""
        if type(other) is not type(self):
            return False
        return alike(Quantity.to_dict(self), Quantity.to_dict(other))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, the hidden ones apart."""
        return {name: getattr(self, name) for name in self.__match_args__ if name not in self.hidden}

    def __setattr__(self, name: str, value: Any) -> None:
        raise FrozenInstanceError(f"cannot assign to {name!r}: {type(self).__name__} never changes; use replace()")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete {name!r}: {type(self).__name__} never changes")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the fields by name, without functions and the table behind them."""
        return (_restored, (type(self), Quantity.to_dict(self)))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in Quantity.to_dict(self).items())
        return f"{type(self).__name__}({shown})"

    def __str__(self) -> str:
        return repr(self)

    def __format__(self, spec: str) -> str:
        """Return everything as text, or with a format such as ".3f" the value."""
        return float(self).__format__(spec) if spec else str(self)


def alike(first: Any, second: Any) -> bool:
    """Return whether two values are equal through and through: quantities in every field, nan like nan."""
    if isinstance(first, Quantity):
        return first.same(second)
    if isinstance(first, (tuple, list)) and isinstance(second, (tuple, list)):
        return len(first) == len(second) and all(map(alike, first, second))
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return first.keys() == second.keys() and all(alike(first[key], second[key]) for key in first)
    return bool(first == second) or (first != first and second != second)  # nan differs from itself


def _bound(cls: type[Quantity], values: tuple[Any, ...], fields: dict[str, Any]) -> dict[str, Any]:
    """Return every field by name, as a call of a function with these arguments would bind them."""
    names = cls.__match_args__
    if not values and (held := cls._defaults | fields).keys() == cls._names:
        return held
    if len(values) > len(names):
        raise TypeError(
            messages.FIELDS_VALUES_WERE_GIVEN(kind=cls.__name__, number=len(names), number_of_values=len(values))
        )
    given = dict(zip(names, values, strict=False))
    if given.keys() & fields.keys() or not fields.keys() <= cls._names:
        wrong = [name for name in fields if name in given or name not in names]
        raise TypeError(messages.NO_FIELD_IS_NOT_GIVEN_YET(kind=cls.__name__, wrong=quoted(wrong)))
    held = cls._defaults | given | fields
    if len(held) < len(names):
        missing = [name for name in names if name not in held]
        raise TypeError(messages.FIELDS_ARE_MISSING(kind=cls.__name__, missing=quoted(missing)))
    return held


def _restored(cls: type[Quantity], fields: dict[str, Any]) -> Quantity:
    return cls(**fields)
