"""The calculator: a local page and its JSON API on the functions of the library.

May import: whatever it needs.
"""
