"""What the doors for data refuse, one module a package of ``sources``.

May import: errors.mentions.
"""
