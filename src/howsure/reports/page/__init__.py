"""The report page: its contents, computed once, and how they are laid out in one HTML file.

May import: as reports.
"""
