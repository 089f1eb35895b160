import socket


def connect(family, kind, address):
    try:
        with socket.socket(family, kind) as end:
            end.connect(address)
            print("got through")
    except OSError as error:
        print(type(error).__name__)


def listen():
    with socket.create_server(("127.0.0.1", 0)):
        print("got through")


connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 22))
connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 53))
connect(socket.AF_INET6, socket.SOCK_DGRAM, ("::1", 53))
listen()


# here stand the right functions
