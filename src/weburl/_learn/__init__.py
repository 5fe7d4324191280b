"""Routes that are learnt from URLs."""
