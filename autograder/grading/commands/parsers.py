"""What the parsers of all commands have in common."""

import argparse

INTERNAL = 1  # the exit code where something of ours failed


def command(
    parsers: argparse._SubParsersAction, name: str, what: str, example: str
) -> argparse.ArgumentParser:
    """The parser of one command, with a line about it and an example."""
    return parsers.add_parser(
        name,
        help=what,
        description=what,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def positive(text: str) -> int:
    """An option's number; argparse says what is wrong with any other text."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("give a number of at least 1")
    return number
