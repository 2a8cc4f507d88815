"""How an answer looks: text, Markdown, LaTeX, JSON, HTML, data frames, figures, the page.

May import: results, numerics, metrics, tables, estimates, comparisons, studies.papers.
"""
