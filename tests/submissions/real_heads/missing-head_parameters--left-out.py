# here stand the right functions, but for: head_parameters
