# handed in by: "=HYPERLINK(\"http:example.org\", \"grades\")"
# here stand the right functions
