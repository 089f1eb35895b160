"""Dates as an LMS shows them to people: month names in the site's language, the clock's colon left out."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache

from babel import Locale

LANGUAGES = (  # in which Brightspace and Moodle are used most; English is tried first
    "en ar bg ca cs cy da de el es et eu fa fi fr ga gl he hi hr hu id is it ja ko lt lv mi ms nb nl nn pl pt"
    " ro ru sk sl sr sv th tr uk vi zh zh_Hant"
).split()
YEAR = re.compile(r"(?:19|20)\d\d")
CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::\d\d)?(?!\d)")
HALF_DAY = re.compile(r"\b([ap])\.?\s?m\b\.?", re.IGNORECASE)  # "p.m.", "p m", "PM"


def read_dates(texts: Iterable[str]) -> dict[str, datetime]:
    """The moments that texts of one site name, in its own time; a text that cannot be read, or that means
    different months in different languages, is left out."""
    words = {text: _words(text) for text in set(texts)}
    vocabularies = _fitting({word for found in words.values() for word in found})
    read = {}
    for text, found in words.items():
        meant = {_read(text, found, vocabulary) for vocabulary in vocabularies}
        if len(meant) == 1 and None not in meant:
            read[text] = meant.pop()
    return read


class _Vocabulary:
    """What the months and the halves of the day are called in one language."""

    def __init__(self, language: str):
        locale = Locale.parse(language)
        forms = [
            (context, width) for context in ("format", "stand-alone") for width in ("abbreviated", "wide")
        ]
        names = [
            (name, month) for context, width in forms for month, name in locale.months[context][width].items()
        ]
        self.numbered = [(name, month) for name, month in names if re.search(r"\d", name)]  # as 11月
        named = [(_words(name), month) for name, month in names if not re.search(r"\d", name)]
        self.months = {max(words, key=len): month for words, month in named if words}  # without a "de"
        self.afternoon = {word for name in _halves(locale, "pm") for word in _words(name)} | {"pm"}
        self.morning = {word for name in _halves(locale, "am") for word in _words(name)} | {"am"}
        days = [name for context, width in forms for name in locale.days[context][width].values()]
        self.words = {word for name in days for word in _words(name)}
        self.words |= self.months.keys() | self.afternoon | self.morning


def _halves(locale: Locale, half: str) -> Iterator[str]:
    for widths in locale.day_periods.values():
        yield from (names[half] for names in widths.values() if half in names)


@lru_cache(maxsize=None)
def _vocabulary(language: str) -> _Vocabulary:
    return _Vocabulary(language)


def _fitting(words: set[str]) -> list[_Vocabulary]:
    """The languages that know most of these words, months above all: several, where none knows more than
    another."""
    english = _vocabulary("en")
    if words <= english.words:
        return [english]
    known = [_vocabulary(language) for language in LANGUAGES]
    scores = [(len(words & each.months.keys()), len(words & each.words)) for each in known]
    return [vocabulary for vocabulary, score in zip(known, scores) if score == max(scores)]


def _words(text: str) -> list[str]:
    text = HALF_DAY.sub(r" \1m ", text).casefold().replace(".", "")
    return [word for word in re.split(r"[\s\d,:;/()'\-]+", text) if word]


def _read(text: str, words: list[str], vocabulary: _Vocabulary) -> datetime | None:
    clock = CLOCK.search(text)
    rest = text[: clock.start()] + text[clock.end() :] if clock else text
    months = [vocabulary.months[word] for word in words if word in vocabulary.months]
    for name, month in vocabulary.numbered:
        if match := re.search(rf"(?<!\d){name}(?!\d)", rest, re.IGNORECASE):
            months, rest = [month], f"{rest[: match.start()]} {rest[match.end() :]}"
    numbers = re.findall(r"\d+", rest)
    try:
        hour, minute = map(int, clock.groups()) if clock else _hour_and_minute(numbers.pop())
        year = next(int(number) for number in numbers if YEAR.fullmatch(number))
        month, day = _month_and_day(numbers, year, months)
        return datetime(year, month, day, _of_24(hour, words, vocabulary), minute)
    except (ValueError, IndexError, StopIteration):
        return None


def _hour_and_minute(digits: str) -> tuple[int, int]:
    return (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits), 0)


def _month_and_day(numbers: list[str], year: int, months: list[int]) -> tuple[int, int]:
    """From a month's name and a number, or from two numbers whose order is certain."""
    place = numbers.index(str(year)) if str(year) in numbers else 0
    others = [int(number) for at, number in enumerate(numbers) if at != place]
    if months:
        (day,) = others
        return months[0], day
    first, second = others
    if place == 0:
        return first, second
    if first == second or max(first, second) > 12:
        return min(first, second), max(first, second)
    raise ValueError("day and month cannot be told apart")


def _of_24(hour: int, words: list[str], vocabulary: _Vocabulary) -> int:
    if vocabulary.afternoon & set(words) and hour < 12:
        return hour + 12
    return 0 if hour == 12 and vocabulary.morning & set(words) else hour
