"""One model: evidence, the catalogue of interval methods, estimate, report, joint intervals, posteriors.

May import: sources and what it may import, cross_validation.
"""
