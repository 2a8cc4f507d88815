"""Several annotators: what each said of an item, and a truth that is made of what they said.

May import: as tables.
"""
