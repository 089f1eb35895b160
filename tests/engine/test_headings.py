"""A column means the same on the way from an LMS and back into it."""

import pytest

from autograder.grading import headings


@pytest.mark.parametrize(
    ("title", "holds"),
    [
        ("Brukernavn", "login"),
        ("Nome de usuário", "login"),
        ("Login ID", "login"),
        ("ID étudiant", "number"),
        ("Matrikel-Nummer", "number"),
        ("Teilnehmer/in", "lms_id"),
        ("E-Mail-Adresse", "email"),
        ("Fe\u0301edback comments", None),
        ("Feedback comments", "comments"),
        ("Vorname", "first"),
        ("Grade", None),
    ],
)
def test_titles_are_known_however_they_are_written(title: str, holds: str | None):
    assert headings.field(title) == headings.field(f" {title.upper()}\t") == holds
    assert headings.called(["x", title], holds or "login") == ([1] if holds else [])


def test_no_title_means_two_things():
    titles = [title for words in headings.TITLES.values() for title in words.split()]
    assert len(titles) == len(set(titles)) and all(headings.plain(title) == title for title in titles)
