# handed in by: "Ann\nBee"
# here stand the right functions
