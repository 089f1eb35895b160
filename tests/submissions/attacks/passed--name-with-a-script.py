# handed in by: "<script>alert('attack')<"
# here stand the right functions
