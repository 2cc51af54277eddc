"""Pictures of disputes at the hub: fetched from the tables, kept by their digests, shown to the director."""
