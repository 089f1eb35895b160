# nothing handed in
