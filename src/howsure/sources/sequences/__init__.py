"""Tagged sequences: tag schemes, CoNLL files, chunks as rows.

May import: as sources.
"""
