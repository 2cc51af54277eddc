"""How any device stands, in a form that the catalogues have words for."""
