import os
from pathlib import Path


def follow(link):
    """Reads what a link leads to, a symbolic one and a hard one."""
    target = Path("course.txt").read_text() + "/course_secret"
    try:
        link(target, "link")
        print("got through", open("link").read())
    except OSError as error:
        print(type(error).__name__)
    finally:
        Path("link").unlink(missing_ok=True)


follow(os.symlink)
follow(os.link)
os.symlink("/", "everything")
os.symlink("everything", "everything-else")


# here stand the right functions
