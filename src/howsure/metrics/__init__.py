"""What a metric is: cells, the catalogue, the grammar of names, gradients.

May import: errors, types.
"""
