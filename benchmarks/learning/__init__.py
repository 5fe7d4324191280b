"""Sites with known routes, from which routes are learnt: see benchmarks/learn.py."""
