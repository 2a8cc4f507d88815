"""Where a method comes from: works as records, written as text for people and as BibTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

LATEX = str.maketrans({"&": r"\&", "–": "--", "×": r"$\times$", "½": r"$\frac12$"})


@dataclass(frozen=True)
class Work:
    """A work and which part of it is meant; the last author may be "others".

    >>> print(Work(("Clopper", "Pearson"), 1934, "Biometrika", "26", "404", remark="exact"))
    Clopper & Pearson (1934) Biometrika 26:404 (exact)
    """

    authors: tuple[str, ...]
    year: int
    journal: str = ""
    volume: str = ""
    pages: str = ""
    title: str = ""
    part: str = ""
    remark: str = ""
    before_journal: str = " "

    def __str__(self) -> str:
        journal = f"{self.before_journal}{self.journal} {self.volume}:{self.pages}" if self.journal else ""
        more = "".join(f", {text}" for text in (self.title, self.part) if text)
        return f"{self._who} ({self.year}){journal}{more}" + (f" ({self.remark})" if self.remark else "")

    @property
    def _who(self) -> str:
        *first, last = self.authors
        if last == "others":
            return f"{', '.join(first)} et al."
        return f"{', '.join(first)} & {last}" if first else last

    @property
    def key(self) -> str:
        """The key in BibTeX: first author and year."""
        return "".join(filter(str.isalpha, self.authors[0].lower())) + str(self.year)

    def at(self, part: str) -> Work:
        """Return the same work with another part meant."""
        return replace(self, part=part)

    def bibtex(self, notes: Sequence[str] = ()) -> str:
        """Return the entry, with notes; it knows what the citation knows.

        >>> print(Work(("Wilson",), 1927, "JASA", "22", "209").bibtex(["Source of: wilson"]))
        @article{wilson1927,
          author = {Wilson},
          year = {1927},
          journal = {JASA},
          volume = {22},
          pages = {209},
          note = {Source of: wilson}
        }
        """
        kind = "article" if self.journal else "book" if self.title else "misc"
        fields = {
            "author": " and ".join(self.authors), "year": self.year, "title": self.title, "journal": self.journal,
            "volume": self.volume, "pages": self.pages, "note": ". ".join(notes),
        }  # fmt: skip
        lines = [f"  {name} = {{{str(value).translate(LATEX)}}}" for name, value in fields.items() if value]
        return f"@{kind}{{{self.key},\n" + ",\n".join(lines) + "\n}"


class Citation(str):
    """The works that a method rests on, as text: a string that knows its ``works``.

    >>> Citation(Work(("Fisher",), 1921, "Metron", "1", "3"), LAM.at("section 4.1"))
    'Fisher (1921) Metron 1:3; Lam et al. (2024), section 4.1'
    """

    works: tuple[Work, ...]
    lead: str

    def __new__(cls, *works: Work, lead: str = "") -> Citation:
        made = super().__new__(cls, lead + "; ".join(map(str, works)))
        made.works, made.lead = works, lead
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.works, self.lead)


def _again(works: tuple[Work, ...], lead: str) -> Citation:
    return Citation(*works, lead=lead)


UNCITED = Citation()

# Works that more than one method rests on.
EFRON = Work(("Efron",), 1987, "JASA", "82", "171")
GOUTTE = Work(("Goutte", "Gaussier"), 2005)
JIANG = Work(("Jiang",), 2020)
LAM = Work(("Lam", "others"), 2024)
WANG_LI = Work(("Wang", "Li"), 2019)


def bibtex(citations: Mapping[str, Citation]) -> str:
    """Return an entry for every work that the methods' citations name, which says the parts meant and the methods.

    >>> print(bibtex({"plan": Citation(JIANG.at("corollary 2"))}))
    @misc{jiang2020,
      author = {Jiang},
      year = {2020},
      note = {corollary 2. Source of: plan}
    }
    """
    cited: dict[str, list[tuple[str, Work]]] = {}
    for method, citation in citations.items():
        for work in citation.works:
            cited.setdefault(work.key, []).append((method, work))
    return "\n\n".join(map(_bibtex_entry, cited.values()))


def _bibtex_entry(cited: Sequence[tuple[str, Work]]) -> str:
    works = [work for _, work in cited]
    parts = "; ".join(dict.fromkeys(text for work in works for text in (work.part, work.remark) if text))
    methods = ", ".join(dict.fromkeys(method for method, _ in cited))
    fullest = max(works, key=lambda work: bool(work.journal))
    return fullest.bibtex([*([parts] if parts else []), f"Source of: {methods}"])
