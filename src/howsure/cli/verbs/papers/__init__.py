"""The verbs of the five papers: studies, Bayes tests, posteriors, folds, critical values.

May import: whatever they need.
"""
