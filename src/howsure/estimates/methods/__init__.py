"""The functions behind the interval methods: limits, credible intervals, the bootstrap, pseudo-counts.

May import: as estimates.
"""
