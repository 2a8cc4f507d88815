"""Kinds of data besides labels: what a row holds there, one class each.

May import: as tables.
"""
