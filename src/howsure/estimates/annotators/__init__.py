"""Several annotators: how far they agree, and a rate corrected for a judge whose errors are known.

May import: as estimates.
"""
