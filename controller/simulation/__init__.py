"""A virtual table that ships with the product: paints pictures of boards whose every detail is known."""
