"""What an answer is: frozen objects with the words for their numbers, and one hook to the writers.

May import: errors, types, version; `base` alone asks howsure.reports, when a result is written or drawn.
"""
