import os


def change():
    before = os.stat(np.__file__)
    os.chmod(np.__file__, 0)
    os.utime(np.__file__, (1, 1))
    os.chown(np.__file__, 12345, 12345)
    after = os.stat(np.__file__)
    if (before.st_mode, before.st_mtime, before.st_uid) != (after.st_mode, after.st_mtime, after.st_uid):
        print("got through")


change()


# here stand the right functions
