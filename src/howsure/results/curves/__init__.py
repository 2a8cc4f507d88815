"""What scores say over all thresholds: curves, calibration, a chosen threshold.

May import: errors, types, version, and the rest of results.
"""
