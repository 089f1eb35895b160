import socket


def reach(address):
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(address)
        print("got through")


reach("\0attack")
reach("attack.socket")


# here stand the right functions
