"""One file a format: what DuckDB selects from, the columns, and how a raw value is decoded.

May import: errors, sources.arrays, and of sources.files the engine, formats and records with their lines.
"""
