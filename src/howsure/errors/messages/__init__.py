"""What errors say: the catalogue of their sentences, one module a package, a section for each module that says them.

Fields stand in braces. A new sentence is an entry here; ``tests/snapshots`` shows every one as each door says it.

May import: errors.mentions.
"""
