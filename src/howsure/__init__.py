"""howsure: how sure are you of that score? A sound error bar for every classification metric.

The public names are loaded when first asked for, so that importing the package (and starting its command line)
costs next to nothing. ``__init__.pyi`` is their one list, for editors, type checkers and ``lazy_loader`` alike.
"""

import lazy_loader

__getattr__, __dir__, _names = lazy_loader.attach_stub(__name__, __file__)

__all__ = [name for name in _names if name != "scores"]  # a module of functions, no name of its own
