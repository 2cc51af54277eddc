"""Many regions and one federation: what NATS and the hub carry while servers are killed."""
