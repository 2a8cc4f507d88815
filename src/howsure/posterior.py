"""Posteriors of metrics and exact probabilities about them: the names, gathered from where they are made.

shares      a share or Tversky index: Beta in closed form        contrasts   two independent ones, by quadrature
dirichlet   draws of a whole table                                sampled     any metric of such draws
paired      two models on the same rows
"""

from __future__ import annotations

from howsure.contrasts import (
    Chances,
    Rope,
    ShareDifference,
    difference_cdf,
    difference_ppf,
    monte_carlo_probability,
    probability_greater,
    rope_probabilities,
)
from howsure.dirichlet import default_prior, dirichlet_blocks, dirichlet_draws
from howsure.paired import discordant_probability, paired_tversky_probability, sampled_difference
from howsure.sampled import SampledPosterior, SamplingError, sampled_posterior
from howsure.shares import SharePosterior

__all__ = [
    "Chances",
    "Rope",
    "SampledPosterior",
    "SamplingError",
    "ShareDifference",
    "SharePosterior",
    "default_prior",
    "difference_cdf",
    "difference_ppf",
    "dirichlet_blocks",
    "dirichlet_draws",
    "discordant_probability",
    "monte_carlo_probability",
    "paired_tversky_probability",
    "probability_greater",
    "rope_probabilities",
    "sampled_difference",
    "sampled_posterior",
]
