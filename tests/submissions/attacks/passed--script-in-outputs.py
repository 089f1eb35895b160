from IPython.display import HTML, Javascript, display

display(HTML("<script>alert('attack')</script><img src=x onerror=alert('attack')>"))
display(Javascript("alert('attack')"))
display({"image/svg+xml": "<svg onload=alert('attack')>"}, raw=True)
display({"text/markdown": "<script>alert('attack')</script>"}, raw=True)
print("<script>alert('attack')</script>")


# here stand the right functions
