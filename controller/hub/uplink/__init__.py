"""From hub to hub: over HTTP, or over NATS between regions, by the numbers and confirmations of the tables."""
