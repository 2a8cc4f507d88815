"""Logs of evaluation tools, which say of each answer whether it was right.

May import: as sources.
"""
