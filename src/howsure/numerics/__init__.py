"""Mathematics that knows no table: beta and binomial limits, quadrature, critical values, posteriors of shares.

May import: errors, types, results.base.
"""
