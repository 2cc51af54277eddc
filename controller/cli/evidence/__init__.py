"""What stands as evidence: the page of a dispute, packets, keys and countersignatures, and what seals say."""
