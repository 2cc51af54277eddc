"""What is released: one version everywhere, files that the forge reads, and a wheel that works by itself."""
