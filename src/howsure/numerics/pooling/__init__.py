"""Values of several tasks or studies as one: fixed and random effects, a new task, ranks over tasks.

May import: types, and the numerical solving of this package.
"""
