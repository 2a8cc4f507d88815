"""howsure: how sure are you of that score? A sound error bar for every classification metric.

The public names are loaded when first asked for, so that importing the package (and starting its command line)
costs next to nothing. ``__init__.pyi`` is their one list, for editors, type checkers and ``lazy_loader`` alike.
"""

import lazy_loader

# Its lines are all "from .module import name as name": lazy_loader's own reader of stubs would load a parser for them.
_homes: dict[str, list[str]] = {}
with open(__file__ + "i", encoding="utf-8") as _stub:
    for _words in (line.split() for line in _stub if line.startswith("from .")):
        _homes.setdefault(_words[1].removeprefix("."), []).append(_words[3])

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, _homes.pop(""), _homes)
__all__.remove("scores")  # a module of functions, no name of its own
