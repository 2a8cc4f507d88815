"""How tasks look: the forest of their intervals, the diagram of mean ranks, their section of the page.

May import: what its parent may.
"""
