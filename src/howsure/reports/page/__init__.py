"""The report page: its contents, computed once, and the templates that lay them out in one HTML file.

May import: as reports.
"""
