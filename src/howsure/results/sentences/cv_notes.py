"""Notes on cross-validation, its tests and the balance of its blocks, a part of the catalogue."""

from __future__ import annotations

CV_NOTES: dict[str, str | dict[str, str]] = {
    # --- tests ----------------------------------------------------------------------------------------------------
    "cv range": (
        "Precision, recall and F1 lie in [0, 1] and their fold scores are skewed: the interval of a t test may "
        "leave the possible range (Wang & Li 2019, section 1)."
    ),
    "cv flat": "The estimated variance is 0, so the statistic and the interval mean nothing.",
    "cv beyond": "The interval leaves [−1, 1], the range of a difference of two scores in [0, 1].",
    "cv inverts": "The interval inverts the test for a shift of all differences.",
    "cv rejects all": "The test rejects every shift: the repeats disagree more than the folds within them.",
    "cv scale": "The scale is right when rho1 + 4 rho2 = 2 (all correlations 0.4); above, it rejects too often.",
    "cv scale given": "The scale is set for rho1 = {rho1}, rho2 = {rho2}.",
    # --- designs --------------------------------------------------------------------------------------------------
    "cv not blocked": (
        "the design is not a blocked m×2 cross-validation: the factor is distinct tested rows over tests"
    ),
    "balance": ("{blocks} blocks of {rows} rows, balanced on {method}{worst}; training sets share {least} to {most}"),
    "balance worst": ", largest deviation {worst}",
    "balance of groups": "{method}, groups kept whole",
    "balance exact": "Exact stratification: class counts and rows per block differ at most by one.",
    "balance heuristic": "Balanced by a heuristic: the deviations above are what remains.",
    "balance without labels": "y is not given: the blocks are not stratified.",
    "balance of sequences": (
        "y holds sequences: the blocks are not stratified; balance= takes a matrix of counts per row."
    ),
    "balance of dimensions": (
        "y has {dimensions} dimensions: the blocks are not stratified; balance=y balances columns."
    ),
    "balance of numbers": "y is continuous: the blocks are not stratified.",
}
