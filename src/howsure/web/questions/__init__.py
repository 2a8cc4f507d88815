"""Questions of the calculator that take more than a table of counts: two models, and files.

May import: as web.
"""
