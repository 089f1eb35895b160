import tempfile
from pathlib import Path


def look():
    for place in (".", "..", tempfile.gettempdir()):
        try:
            if list(Path(place).rglob("left-by-an-attack")):
                print("got through")
        except OSError:
            pass
    if hasattr(np, "left_by_an_attack"):
        print("got through")


look()


# here stand the right functions
