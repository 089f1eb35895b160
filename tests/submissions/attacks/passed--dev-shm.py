from pathlib import Path


def write(place):
    Path(place, "attack").write_text("x")
    print("got through")


write("/dev/shm")
write("/run/lock")


# here stand the right functions
