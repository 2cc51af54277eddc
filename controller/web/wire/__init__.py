"""What the pages go over: certificates of this machine's own, connections with and without TLS, streams of events."""
