"""Writers: text, Markdown, LaTeX, JSON, HTML, data frames. One neutral description, several forms."""
