"""Many tables and one hub: what they say to each other over MQTT, and the table's side of it."""
