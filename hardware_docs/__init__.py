"""Pages about the hardware, and the code that draws their diagrams."""
