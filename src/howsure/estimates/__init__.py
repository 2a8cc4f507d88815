"""One model: evidence, the catalogue of interval methods, estimate, report, joint intervals, posteriors, monitoring.

May import: sources and what it may import, cross_validation.
"""
