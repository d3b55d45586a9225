"""How many threads read a text."""

import os

THREADS = min(2, os.cpu_count() or 1)
"""Two halve the time; more would take the machine from others and gain little, for memory is then the limit."""
