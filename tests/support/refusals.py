"""What a call says when it refuses, for the tests that hold messages word for word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from howsure.errors import HowsureError


def refusal(call: Callable[[], object], error: type[HowsureError] = HowsureError) -> str:
    """Return the message of the error that a call raises."""
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)
