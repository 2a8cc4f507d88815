"""What a way of sampling does to a variance: the design effect of weights, strata and groups, its parts; equal rows.

May import: errors, types.
"""
