"""Blackboard: `Assignment_username_attempt_YYYY-MM-DD-HH-MM-SS_file.ext`, and for each attempt such a name
that ends in `.txt` right after the time, Blackboard's own record of it. "attempt" is in the site's
language."""

import os
import re
from collections.abc import Iterator
from datetime import datetime

from autograder.grading.collecting.archive import Archive, Member
from autograder.grading.collecting.entries import Entry, Layout, Owner, Site
from autograder.grading.moments import moment

# The first time counts: what follows it is the student's.
NAME = re.compile(
    r"(?P<head>.+?)_[^_\d/]+_(?P<when>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|(?P<suffix>\.\w+))", re.DOTALL
)
SIGNED = re.compile(r"[^\n]*?: *(?P<name>[^\n]*?) *\((?P<login>[^()\s]+)\)\s*$", re.MULTILINE)


def entries(archive: Archive, site: Site) -> list[Entry]:
    tried = ((member, NAME.fullmatch(member.parts[-1])) for member in archive.files)
    named = [(member, match) for member, match in tried if match]
    owners = _owners(archive, named, site.logins)
    return [_entry(member, match, owners[match["head"]], site) for member, match in named]


def _entry(member: Member, match: re.Match, owner: Owner, site: Site) -> Entry:
    record = match["suffix"] == ".txt"
    stem = match["when"] if record else site.lesson
    file = match["file"] or f"{stem}{match['suffix']}"
    return Entry(member, owner, file, match["when"], _moment(match["when"], site.zone), record=record)


def _owners(
    archive: Archive, named: list[tuple[Member, re.Match]], logins: frozenset[str]
) -> dict[str, Owner]:
    """Who is meant by what the file names begin with, a title and a user name: both may hold underscores."""
    owners = _signed(archive, named)
    titles = {head.removesuffix(f"_{owner.login}") for head, owner in owners.items()}
    heads = {match["head"] for _, match in named}
    start = _start(titles, heads)
    for head in heads - owners.keys():
        login = next((tail for tail in _tails(head) if tail.casefold() in logins), head[start:])
        owners[head] = Owner(login, login=login)
    return owners


def _signed(archive: Archive, named: list[tuple[Member, re.Match]]) -> dict[str, Owner]:
    """Those whom Blackboard's records name, in "Name: Ada Lovelace (ada_l)". The file's name must end in the
    user name, too."""
    found = {}
    for member, match in named:
        if match["suffix"] == ".txt" and match["head"] not in found:
            line = SIGNED.match(archive.text(member))
            if line and match["head"].endswith(f"_{line['login']}"):
                found[match["head"]] = Owner(line["login"], line["name"], line["login"])
    return found


def _start(titles: set[str], heads: set[str]) -> int:
    """Where the user names begin: behind the title, if a record tells it; else behind what all have in common
    up to an underscore; of one student alone, behind the last underscore."""
    if len(titles) == 1:
        return len(titles.pop()) + 1
    common = os.path.commonprefix(sorted(heads))
    return common.rfind("_") + 1


def _tails(text: str) -> Iterator[str]:
    """A text without its first word, its first two, and so on: words are separated by underscores."""
    while text:
        text = text.partition("_")[2]
        yield text


def _moment(text: str, zone: str) -> datetime | None:
    try:
        return moment(f"{text[:10]} {text[11:].replace('-', ':')} {zone}")
    except ValueError:
        return None


BLACKBOARD = Layout("blackboard", entries, dated=True)
