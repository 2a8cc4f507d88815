"""Tables in files: formats, columns, counting by DuckDB.

May import: as sources.
"""
