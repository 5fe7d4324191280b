"""What `weburl redact` is made of."""
