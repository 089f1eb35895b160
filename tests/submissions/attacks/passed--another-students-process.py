import os


def disturb():
    """Whoever was forked just before or after this one; signal 0 tells whether others would arrive."""
    for process in range(os.getpid() - 20, os.getpid() + 20):
        try:
            if process != os.getpid():
                os.kill(process, 0)
                print("got through")
        except OSError:
            pass


disturb()


# here stand the right functions
