"""What checks of plain values refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# errors
NEEDS_EXTRA = Sentence("{purpose} needs the package {package!r}; install it with: pip install 'howsure[{extra}]'")
NEEDS_PACKAGE = Sentence("{purpose} needs the package {package!r}; install it with: pip install {package}")
LIE_STRICTLY_BETWEEN_0_AND_1 = Sentence("it must lie strictly between 0 and 1, such as 0.95")
DEFAULT_IS_0 = Sentence("the default is 0")
BREAKS_RULE = Sentence("{arg:{name}} is {shown}; {rule}")
ONE_OF_CHOICES = Sentence("it must be one of {choices}")
WHOLE_NUMBER_OR_LARGER = Sentence("it must be a whole number, {least_in_words} or larger")
WHOLE_NUMBER_AT_MOST = Sentence("it must be a whole number, at most {most:,}")
MASKED_CELLS_FILL_THEM_WITH_NUMBERS = Sentence(
    "{arg:{name}} has masked cells; {rule}; fill them with numbers first, or leave their tables out"
)
DIVIDES_BY_ZERO = Sentence("{text!r} divides by zero")
GIVEN_TWICE_ALSO_BY_OLD_NAME = Sentence("{arg:{new}} is given twice, also by its old name {old!r}; give it once")
