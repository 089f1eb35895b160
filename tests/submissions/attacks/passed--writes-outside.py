from pathlib import Path


def write(place):
    """Somebody told this student where the course is."""
    path = Path(Path("course.txt").read_text(), place)
    for attempt in (lambda: path.open("a").write("attack"), lambda: path.unlink(), lambda: path.mkdir()):
        try:
            attempt()
            print("got through")
        except OSError as error:
            print(type(error).__name__)


write("attack")
write("course_secret")
write("solutions/mixing.py")
write("build/submitted/honest/mixing/mixing.ipynb")
write("/tmp/attack")
write("../attack")


# here stand the right functions
