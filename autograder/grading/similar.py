"""Pairs of hand-ins that are suspiciously alike: winnowed fingerprints of their tokens, kept in an index.

Winnowing after Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document fingerprinting"
(SIGMOD 2003). It is written out here because copydetect 0.5, the library for it (last released in 2024), goes
through every pair in Python and picks fingerprints by the salted hash of strings: other pairs in every run.
"""

import builtins
import hashlib
import keyword
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import islice

import msgspec
import numpy as np
from scipy.sparse import csr_array

from autograder.grading.repair import names_bound
from autograder.script import lines_of

LENGTH = 12  # tokens of a passage, about a line of code; anything shorter is no sign of copying
WINDOW = 4  # of so many passages in a row one is kept: whatever LENGTH + WINDOW - 1 tokens share is found
TOKENS_CAP = 20_000  # of one hand-in
ENOUGH = 12  # unusual passages in common, about four lines of code, from which on a pair is looked at
ALIKE = 0.6  # share of what the smaller hand-in holds that is in the other, from which on a pair is told
TWINS = 0.9  # the same where nothing of it is unusual, but all of it together is
BLOCK = 256  # hand-ins compared with all others at once
EXCERPT = 25  # lines

LAYOUT = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
LAYOUT |= {tokenize.COMMENT, tokenize.ENDMARKER}
WORDS = frozenset(keyword.kwlist) | frozenset(dir(builtins))

Place = tuple[int, int, int]  # number of the cell, first and last line in it
Cells = list[str]


class Pair(msgspec.Struct, frozen=True):
    """Two hand-ins that are alike. `similarity` is the share of the smaller one that is in the other, an
    unusual passage counting more; `passages` is how many unusual ones they share."""

    one: str
    other: str
    similarity: float
    passages: int


class Fingerprints:
    """Takes fingerprints of hand-ins, each a list of the code of its cells.

    Names that the author of the code chose are all read as one, so that renaming hides nothing; passages that
    stand in one of the `given` texts (what everybody got) count for nobody.
    """

    def __init__(self, given: Iterable[str]):
        given = list(given)
        self._names = WORDS.union(*map(names_bound, given))
        self._cells = set(given)
        self._hashes = frozenset(h for text in given for h, *_ in _passages(text, self._names))
        self._of_cell = lru_cache(maxsize=4096)(self._winnowed)

    def of(self, cells: Cells) -> dict[int, Place]:
        """The fingerprints of a hand-in, each with where it stands."""
        places: dict[int, Place] = {}
        tokens = 0
        for number, source in enumerate(cells):
            if source not in self._cells and tokens < TOKENS_CAP:
                found, count = self._of_cell(source)
                tokens += count
                places |= {mark: (number, first, last) for mark, first, last in found}
        return places

    def _winnowed(self, source: str) -> tuple[list[Place], int]:
        passages = list(_passages(source, self._names))
        chosen = [passages[i] for i in _minima([passage[0] for passage in passages])]
        return [passage for passage in chosen if passage[0] not in self._hashes], len(passages)


def similar_pairs(hand_ins: Mapping[str, Cells], fingerprints: Fingerprints) -> list[Pair]:
    """The pairs that are alike, the most alike first.

    What many wrote (more than a hundredth of a class, and more than six) is how one writes it, and points at
    nobody. So a pair has to share unusual passages, or to be the same nearly all over, as few others are.
    The similarity weighs each passage by log((n + 1) / m), where m of n hand-ins hold it.
    """
    names = sorted(hand_ins)
    index = _index([fingerprints.of(hand_ins[name]).keys() for name in names])
    many = max(6, len(names) // 100)
    pairs = [
        Pair(names[i], names[j], round(similarity, 4), passages)
        for start in range(0, len(names), BLOCK)
        for i, j, similarity, passages in _alike(index, start, many)
    ]
    return sorted(pairs, key=lambda pair: (-pair.similarity, -pair.passages, pair.one, pair.other))


def _index(marks: list[Iterable[int]]) -> csr_array:
    """Hand-ins by fingerprints, 1 where one holds the other: an inverted index as a sparse matrix."""
    columns: dict[int, int] = {}
    places = [[columns.setdefault(mark, len(columns)) for mark in each] for each in marks]
    ends = np.cumsum([0, *map(len, places)])
    held = np.array([column for each in places for column in each], dtype=np.int32)
    return csr_array((np.ones(len(held), dtype=np.float32), held, ends), (len(marks), max(len(columns), 1)))


def _alike(index: csr_array, start: int, many: int) -> Iterator[tuple[int, int, float, int]]:
    """The pairs of a block of rows with all later ones: similarity, and how many unusual passages."""
    holders = index.sum(axis=0)
    weight = np.log((index.shape[0] + 1) / np.maximum(holders, 1))
    block = index[start : start + BLOCK]
    common = (block.multiply(weight).tocsr() @ index.T).toarray()
    totals = np.maximum(index @ weight, 1e-9)
    similarity = common / np.minimum(totals[start : start + BLOCK, None], totals)
    passages = (block.multiply(holders <= many).tocsr() @ index.T).toarray()
    long = index.sum(axis=1) >= ENOUGH
    twins = (similarity >= TWINS) & long & long[start : start + BLOCK, None]
    twins &= twins.sum(axis=1, keepdims=True) <= many  # each its own twin among them
    for i, j in np.argwhere((similarity >= ALIKE) & (passages >= ENOUGH) | twins):
        if start + i < j:
            yield start + int(i), int(j), float(similarity[i, j]), int(passages[i, j])


def excerpts(one: Cells, other: Cells, fingerprints: Fingerprints) -> tuple[str, str]:
    """Where two hand-ins agree most: the lines of the cell that shares the most passages, from each."""
    marks = fingerprints.of(one), fingerprints.of(other)
    shared = marks[0].keys() & marks[1].keys()
    first, second = ([places[mark] for mark in shared] for places in marks)
    return _lines(one, first), _lines(other, second)


def _lines(cells: Cells, places: list[Place]) -> str:
    number = Counter(place[0] for place in places).most_common(1)[0][0]
    here = [place for place in places if place[0] == number]
    start = min(first for _, first, _ in here)
    end = max(last for _, _, last in here)
    return "\n".join(lines_of(cells[number])[start - 1 : end][:EXCERPT])


def _minima(hashes: list[int]) -> list[int]:
    """Winnowing: the places of the smallest hash of each window, of equal ones the last."""
    windows = (range(i, min(i + WINDOW, len(hashes))) for i in range(max(1, len(hashes) - WINDOW + 1)))
    return sorted({min(window, key=lambda j: (hashes[j], -j)) for window in windows if window})


def _passages(source: str, names: frozenset[str]) -> Iterator[Place]:
    """Each run of LENGTH tokens as its hash, first and last line; the hash is the same in every process."""
    tokens = list(islice(_tokens(source, names), TOKENS_CAP))
    for start in range(len(tokens) - LENGTH + 1):
        run = tokens[start : start + LENGTH]
        text = "\0".join(word for word, _ in run).encode("utf-8", "replace")
        digest = hashlib.blake2b(text, digest_size=8).digest()
        yield int.from_bytes(digest), run[0][1], run[-1][1]


def _tokens(source: str, names: frozenset[str]) -> Iterator[tuple[str, int]]:
    """Words and their lines, without layout, comments and docstrings; up to where it is no Python."""
    lines = (f"{line}\n" for line in lines_of(source))
    opening, before = True, ""
    try:
        for token in tokenize.generate_tokens(partial(next, lines, "")):
            if token.type in LAYOUT:
                opening = opening or token.type == tokenize.NEWLINE
                continue
            if not (opening and token.type == tokenize.STRING):
                yield _word(token, before, names), token.start[0]
            opening, before = False, token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _word(token: tokenize.TokenInfo, before: str, names: frozenset[str]) -> str:
    if token.type == tokenize.STRING:
        return '""'
    chosen = token.type == tokenize.NAME and before != "." and token.string not in names
    return "name" if chosen else token.string
