"""One module for each group of commands: their options, and what they do."""
