# handed in by: "O'Neil, \"Bobby\", Jr."
# here stand the right functions
