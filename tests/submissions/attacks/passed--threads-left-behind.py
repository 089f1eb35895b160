import threading
import time


def go_on():
    while True:
        try:
            open("/tmp/attack", "a").write("x")
        except OSError:
            pass
        time.sleep(0.01)


threading.Thread(target=go_on).start()
threading.Thread(target=go_on, daemon=True).start()


# here stand the right functions
