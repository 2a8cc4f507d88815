"""What pair methods rest on: discordant rows, and posteriors of two models on the same rows.

May import: as comparisons.
"""
