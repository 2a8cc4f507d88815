"""Where people already are: a plugin for pytest. Each module imports howsure late, and howsure never imports it.

May import: everything.
"""
