"""The network that sees hands, sleeves and cups: painted arms, coarse looks, training."""
