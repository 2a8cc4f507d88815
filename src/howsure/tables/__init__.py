"""What was counted: how rows were sampled (design), what a row holds (contents), a metric on them, covariances.

May import: errors, types, results, numerics, metrics.
"""
