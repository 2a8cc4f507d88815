"""Errors, notes and citations are records: each door writes its own sentence from them, and they survive a journey."""

from __future__ import annotations

import copy
import pickle

import pytest

import howsure as hs
from howsure.comparisons.catalogue import PAIR_METHODS
from howsure.errors import (
    InputError,
    Mention,
    MethodError,
    MissingExtra,
    among,
    arg,
    calling,
    check_choice,
    check_number,
    need_package,
    said,
    setting,
    speaking,
)
from howsure.estimates.catalogue import METHODS
from howsure.results.base import Note, note_line
from howsure.results.citation import Citation, Work


def shouted(mention: Mention) -> str:
    return str(mention).upper()


def test_a_refusal_is_a_record_of_four_parts() -> None:
    error = InputError.of("level", 95, "it must lie between 0 and 1", f"or leave {setting('level')} out")
    assert str(error) == "level is 95; it must lie between 0 and 1; or leave level= out"
    assert (error.argument, error.came, error.rule) == ("level", "95", "it must lie between 0 and 1")
    assert error.remedy == "or leave level= out"
    assert error.said(shouted) == "LEVEL is 95; it must lie between 0 and 1; or leave LEVEL= out"


def test_a_call_refused_says_which_argument() -> None:
    with pytest.raises(hs.HowsureError) as caught:
        hs.report(hs.counts(tp=3, fp=1, fn=1, tn=4), level=95)
    assert (caught.value.argument, caught.value.came) == ("level", "95")


@pytest.mark.parametrize("kind", [InputError, MethodError, MissingExtra])
def test_an_error_survives_a_journey_between_processes(kind: type[hs.HowsureError]) -> None:
    error = kind.of("kind", "x", f"use {setting('kind', 'bca')} or {calling('compare')}")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (str(again), again.parts, again.argument, again.came) == (str(error), error.parts, "kind", "'x'")
    assert again.said(shouted) == "KIND is 'x'; use KIND='BCA' or COMPARE()"


def test_an_error_without_an_argument_has_none() -> None:
    error = need_package("pandas", "a frame")
    assert error.argument is None
    assert error.parts == (str(error),)
    assert error.said(shouted) == str(error)


def test_a_note_is_its_plain_sentence_and_survives_a_journey() -> None:
    note = Note(f"give {setting('labels')} or {arg('pos_label')}", "order")
    assert note == "give labels= or pos_label"
    for again in (pickle.loads(pickle.dumps(note)), copy.deepcopy(note), Note(note, note.kind)):
        assert (again, again.kind, again.said(shouted)) == (note, "order", "give LABELS= or POS_LABEL")


def test_a_door_that_is_open_words_the_notes_until_it_closes() -> None:
    note = Note(f"{setting('joint', True)} makes all hold")
    with speaking(shouted):
        assert note_line(note) == "note: JOINT=TRUE makes all hold"
    assert note_line(note) == "note: joint=True makes all hold"


@pytest.mark.parametrize(
    "text",
    ["\ue000", "a\ue000b\ue002", "\ue000argument\ue001level", "\ue000argument\ue001a\ue001b\ue002", "\ue001\ue002"],
)
def test_what_a_user_gave_is_never_taken_for_a_mention(text: str) -> None:
    assert said(text, shouted) == text == str(InputError(text))


def test_lists_of_arguments_read_as_in_python() -> None:
    assert said(f"one of {among(['n', 'se'])}", str) == "one of 'n', 'se'"


def test_checks_refuse_with_the_rule() -> None:
    check_choice("kind", "a", ("a", "b"))
    with pytest.raises(InputError, match=r"^kind is 'c'; it must be one of 'a', 'b'$"):
        check_choice("kind", "c", ("a", "b"))
    for value in (True, "1", float("nan"), float("inf"), -1, 2):
        with pytest.raises(InputError, match="it must lie between"):
            check_number("icc", value, "it must lie between 0 and 1", least=0, most=1)


@pytest.mark.parametrize("entry", [*METHODS, *PAIR_METHODS], ids=lambda entry: entry.name)
def test_every_method_cites_works(entry: hs.IntervalMethod) -> None:
    assert all(str(work) in entry.citation for work in entry.citation.works)
    assert entry.citation.works
    assert pickle.loads(pickle.dumps(entry.citation)).works == entry.citation.works


def test_a_citation_is_its_text() -> None:
    book = Work(("Agresti",), 2013, title="Categorical Data Analysis", part="section 3.1")
    cited = Citation(book, lead="see ")
    assert cited == "see Agresti (2013), Categorical Data Analysis, section 3.1"
    assert copy.deepcopy(cited) == cited
    assert book.bibtex().startswith("@book{agresti2013,\n  author = {Agresti},\n  year = {2013},\n  title = {Cat")
