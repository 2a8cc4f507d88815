"""What tasks say: a comparison in each of them and over all, a forest of intervals, mean ranks.

May import: errors, and the words and bases of this package.
"""
