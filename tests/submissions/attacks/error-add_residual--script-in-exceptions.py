class Script(ValueError):
    pass


Script.__name__ = "<script>alert('attack')</script>"


def add_residual(X, H):
    raise Script("<script>alert('attack')</script>")  # <script>alert('attack')</script>


raise Script("<img src=x onerror=alert('attack')>")


# here stand the right functions
