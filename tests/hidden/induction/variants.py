"""Right answers written differently: each must get every point."""
