"""One widget a file. Attributes go down into a widget, messages come up from it."""
