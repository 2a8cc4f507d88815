"""What results say: the catalogue of sentences, and which of them fits a comparison, a gate, a ranking.

May import: as results.
"""
