import socket


def ask():
    print("got through", socket.getaddrinfo("example.org", 80))


ask()


# here stand the right functions
