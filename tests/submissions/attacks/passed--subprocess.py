import os
import subprocess


def start():
    subprocess.run(["/bin/true"], check=True)
    print("got through")


def shell():
    if os.system("true") == 0:
        print("got through")


def copy_of_a_program():
    import shutil

    shutil.copy("/bin/true", "own")
    os.chmod("own", 0o755)
    os.posix_spawn("./own", ["own"], {})
    print("got through")


start()
shell()
copy_of_a_program()


# here stand the right functions
