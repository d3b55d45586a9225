"""`python -m badhop` is the command `badhop`."""

import sys

from badhop.cli import main

sys.exit(main())
