"""The tables of the five papers, recomputed: one module each, with printed value, ours and the erratum between them."""
