"""Families of populations on which weights, strata and groups are studied, by kind, and their seeds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from studies.design_groups import (
    class_weights_and_groups,
    failing_groups,
    few_hard_groups,
    grouped,
    hard_groups,
    strata_and_groups,
    weights_and_groups,
)
from studies.design_populations import (
    DesignPopulation,
    class_weights_times_others,
    heavy_tier,
    strata_of_predictions,
    strata_of_scores,
    strata_of_sites,
    weights_independent,
    weights_informative,
    weights_of_classes,
)

Maker = Callable[[np.random.Generator], DesignPopulation]
FAMILIES: dict[str, dict[str, Maker]] = {
    "weights, independent": {"independent": weights_independent},
    "weights, informative": {"informative": weights_informative},
    "weights that balance classes": {"balanced": weights_of_classes},
    "strata": {"predictions": strata_of_predictions, "scores": strata_of_scores, "sites": strata_of_sites},
    "groups": {"equal": grouped("equal"), "unequal": grouped("unequal"), "one huge": grouped("huge")},
    "weights or strata and groups": {
        "weights": weights_and_groups, "balanced": class_weights_and_groups, "strata": strata_and_groups,
    },
    "groups that fail wholly": {"correlated": hard_groups, "failing": failing_groups, "few in strata": few_hard_groups},
    "few heavy rows": {"heavy tier": heavy_tier},
    "balancing weights times others": {"times others": class_weights_times_others},
}  # fmt: skip

# Seeds of populations on which nothing was chosen. Those of strata and groups are later: the first ones showed that
# classes without an error were taken for independent there.
FRESH = {family: 20261127 if any(word in family for word in ("strata", "groups")) else 20261125 for family in FAMILIES}


def fresh_population(
    family: str, kind: str, number: int, seed: int | None = None
) -> tuple[DesignPopulation, list[int]]:
    """Return a population of a family, and the seed of its samples."""
    place = [
        FRESH[family] if seed is None else seed,
        number,
        list(FAMILIES).index(family),
        list(FAMILIES[family]).index(kind),
    ]
    return FAMILIES[family][kind](np.random.default_rng(place)), [*place, 1]
