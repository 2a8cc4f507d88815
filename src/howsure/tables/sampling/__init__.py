"""What a way of sampling does to a variance: the design effect of weights, strata and groups, the parts of a variance.

May import: errors, types.
"""
