"""The verbs of the command line, one module each.

May import: whatever they need.
"""
