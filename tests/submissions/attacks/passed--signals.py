import os


def send(process):
    """Signal 0 tells whether others would arrive."""
    try:
        os.kill(process, 0)
        print("got through")
    except OSError as error:
        print(type(error).__name__)


send(os.getppid())  # the template
send(0)  # everybody in the group
send(-1)  # everybody


# here stand the right functions
