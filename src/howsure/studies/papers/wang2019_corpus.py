"""The chunking experiment of Wang & Li (2019), section 4, on a corpus that the reader owns.

Two tag sets, conditional random fields with unigrams, bigrams and trigrams of words and parts of speech in the window
−2 … 2, 3×2 blocked cross-validation with blocks balanced on the entity types and on the chunks of a sentence,
posteriors of precision, recall and F1 (Table 2, Figures 1 to 3) and the Bayes test (Tables 3 to 5). The training needs
python-crfsuite: the extra ``crf``.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from howsure.comparisons.bayes_test import bayes_test
from howsure.cross_validation.cross_validate import chunk_balance, cross_validate
from howsure.cross_validation.designs import BlockedCV
from howsure.errors import InputError, need_extra, quoted
from howsure.errors.messages import studies as messages
from howsure.estimates.posterior import posterior
from howsure.numerics.parallel import Progress
from howsure.results.coverage import PaperRow
from howsure.results.words import count
from howsure.sources.sequences.conll import read_conll
from howsure.sources.sequences.schemes import find_scheme, guess_scheme
from howsure.sources.sequences.tags import convert_sequences
from howsure.studies.kept import staged
from howsure.studies.papers.drawing import save_figure
from howsure.studies.papers.rows import row_maker
from howsure.studies.papers.wang2019 import METRICS, Pair, paint_densities

SCHEMES = ("IOB2", "IOBES")
ITERATIONS = 50
REACH = 2
Sequences = list[list[str]]


@dataclass(frozen=True)
class TaggedCorpus:
    """Sentences of words and gold tags, with parts of speech where the file has them, and the tag set of the gold."""

    words_of: Sequences
    tags: Sequences
    parts: Sequences | None
    scheme: str

    @property
    def words(self) -> str:
        """How large it is."""
        pos = "" if self.parts is not None else ", no parts of speech"
        size = sum(map(len, self.words_of))
        return f"{count(len(self.tags))} sentences, {count(size)} words, tags in {self.scheme}{pos}"

    def features(self) -> list[list[list[str]]]:
        """Return the features of every word of every sentence."""
        parts: Sequence[Sequence[str] | None] = self.parts or [None] * len(self.words_of)
        return [windows(words, pos) for words, pos in zip(self.words_of, parts, strict=True)]


def read_corpus(
    source: str | os.PathLike[str], *, word: int = 0, pos: int | None = None, tag: int = -1, scheme: str | None = None
) -> TaggedCorpus:
    """Read a CoNLL file: a word a line with its columns, sentences apart by blank lines.

    ``word``, ``pos`` and ``tag`` are columns from 0 (−1 is the last); without ``pos`` words alone are features. The tag
    set of the gold is found from the tags unless ``scheme`` names it.
    """
    wanted = {"word": word} | ({} if pos is None else {"pos": pos})
    found = read_conll(source, gold=tag, predictions=wanted)
    own = guess_scheme(found.gold).scheme if scheme is None else find_scheme(scheme).name
    return TaggedCorpus(found.predictions["word"], found.gold, found.predictions.get("pos"), own)


def windows(words: Sequence[str], parts: Sequence[str] | None = None) -> list[list[str]]:
    """Return the features of every word: unigrams, bigrams and trigrams of words and of parts of speech in −2 … 2.

    >>> windows(["a", "b"])[0][:5]
    ['w[-2]=<<', 'w[-1]=<', 'w[0]=a', 'w[1]=b', 'w[2]=>']
    """
    rows: list[list[str]] = [[] for _ in words]
    for mark, line in (("w", words), ("p", parts)):
        if line is None:
            continue
        around = ["<<", "<", *line, ">", ">>"]
        for place, row in enumerate(rows):
            seen = around[place : place + 2 * REACH + 1]
            for size in (1, 2, 3):
                starts = range(2 * REACH + 2 - size)
                row += [f"{mark}[{start - REACH}{_upto(start, size)}]={'|'.join(seen[start : start + size])}"
                        for start in starts]  # fmt: skip
    return rows


def _upto(start: int, size: int) -> str:
    return "" if size == 1 else f":{start + size - 1 - REACH}"


@dataclass(frozen=True)
class Crf:
    """A conditional random field that trains on tags converted to its own tag set, and answers in it."""

    gold: str
    scheme: str
    iterations: int = ITERATIONS

    def __call__(self, known: Sequence[Any], tags: Sequence[Sequence[str]], asked: Sequence[Any]) -> Sequences:
        """Return the tags of the sentences asked about."""
        try:
            import pycrfsuite
        except ImportError:
            raise need_extra("python-crfsuite", "crf", messages.CHUNKING_EXPERIMENT()) from None
        trainer = pycrfsuite.Trainer(verbose=False)
        for features, labels in zip(known, convert_sequences(tags, self.gold, self.scheme), strict=True):
            trainer.append(features, labels)
        trainer.set_params({"c1": 0.05, "c2": 0.05, "max_iterations": self.iterations})
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "model.crfsuite")
            trainer.train(path)
            tagger = pycrfsuite.Tagger()
            tagger.open(path)
            said = [tagger.tag(features) for features in asked]
            tagger.close()
        return said


def experiment(
    corpus: TaggedCorpus,
    *,
    schemes: Sequence[str] = SCHEMES,
    types: Sequence[str] = (),
    iterations: int = ITERATIONS,
    seed: int = 0,
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> dict[str, Pair]:
    """Return the folds of both tag sets for all chunks, and for each of ``types`` alone; chunks compare as spans.

    ``checkpoint`` names a folder that keeps every fold that was trained; an interrupted experiment goes on from there.
    """
    a, b = _two(schemes)
    known = {str(kind) for kind in _types_of(corpus)}
    unknown = [kind for kind in types if kind not in known]
    if unknown:
        raise InputError(messages.TYPE_NO_CHUNK(unknown=unknown[0], known=quoted(sorted(known))))
    features = corpus.features()
    tasks = {"all chunks": corpus.tags} | {kind: _only(corpus.tags, kind) for kind in types}
    found: dict[str, Pair] = {}
    for (task, tags), stage in zip(tasks.items(), staged(progress, len(tasks)), strict=True):
        cv = BlockedCV(repeats=3, seed=seed, balance=chunk_balance(tags, scheme=corpus.scheme))
        models = {name: Crf(corpus.scheme, name, iterations) for name in (a, b)}
        one, two = cross_validate(
            models, features, tags, cv=cv, scheme={"gold": corpus.scheme, a: a, b: b}, types=False, jobs=jobs,
            checkpoint=checkpoint, progress=stage,
        )  # fmt: skip
        found[task] = (one, two)
    return found


def _two(schemes: Sequence[str]) -> tuple[str, str]:
    names = [find_scheme(name).name for name in schemes]
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(messages.SCHEME_NAMES_EXPERIMENT_COMPARES_TWO_DIFFERENT(schemes=quoted(schemes)))
    return names[0], names[1]


def _only(tags: Sequences, kind: str) -> Sequences:
    """Return the tags of one type; every other word is outside."""
    return [[tag if tag.partition("-")[2] == kind else "O" for tag in sentence] for sentence in tags]


def _types_of(corpus: TaggedCorpus) -> list[Any]:
    marks = (tag.partition("-")[2] for tags in corpus.tags for tag in tags)
    return [kind for kind in dict.fromkeys(marks) if kind]


# --- what the experiment says -----------------------------------------------------------------------------------------


def corpus_rows(found: Mapping[str, Pair], *, level: float = 0.95) -> list[PaperRow]:
    """Return Tables 2 to 5 of the corpus: credible intervals in per cent, then the Bayes tests, a table per task."""
    return [*_intervals(found, level), *_decisions(found)]


def _intervals(found: Mapping[str, Pair], level: float) -> Iterator[PaperRow]:
    make = row_maker("Table 2", decimals=2)
    for task, pair in found.items():
        for short, metric in METRICS.items():
            for letter, folds in zip("AB", pair, strict=True):
                low, high = posterior(folds, metric).interval(level)
                note = f"{folds.model}, per cent"
                yield make(f"{task}, {short} of {letter}, low", None, 100 * low, note=note)
                yield make(f"{task}, {short} of {letter}, high", None, 100 * high, note=note)


def _decisions(found: Mapping[str, Pair]) -> Iterator[PaperRow]:
    for number, (task, (a, b)) in enumerate(found.items(), 3):
        make = row_maker(f"Table {number}", decimals=3)
        for short, metric in METRICS.items():
            test = bayes_test(a, b, metric)
            note = f"H0: {b.model} is not better than {a.model}; {a.model} {100 * test.value_a:.2f}, " \
                   f"{b.model} {100 * test.value_b:.2f}"  # fmt: skip
            yield make(f"{task}, P(H0) of {short}: {test.decision}", None, test.p_h0, note=note)


def corpus_figures(found: Mapping[str, Pair], folder: Path, *, form: str = "svg") -> list[Path]:
    """Draw a figure per task, as Figures 1 to 3: posteriors solid, those of Wang et al. (2015) dashed."""
    return [
        save_figure(
            folder / f"chunking-figure-{number}.{form}",
            (11, 3.4),
            partial(paint_densities, task=task, pair=pair),
        )
        for number, (task, pair) in enumerate(found.items(), 1)
    ]
