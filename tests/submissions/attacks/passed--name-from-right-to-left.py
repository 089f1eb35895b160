# handed in by: "\u202egnp.eda"
# here stand the right functions
