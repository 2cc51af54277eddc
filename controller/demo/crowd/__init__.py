"""Many tables for one hub: recorded matches, played again with other names and times."""
