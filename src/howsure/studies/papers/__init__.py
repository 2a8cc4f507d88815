"""The five papers, recomputed: one module each, with the printed value, ours, and the erratum between them.

May import: as studies.
"""
