"""Every door for data: arrays, files, logs of evaluation tools, tagged sequences, data frames. Each ends in a Table.

May import: errors, types, results, numerics, metrics, tables.
"""
