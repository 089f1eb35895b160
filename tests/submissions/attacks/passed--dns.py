import socket


def ask():
    found = socket.getaddrinfo("example.org", 80)
    print("got through", found)


ask()


# here stand the right functions
