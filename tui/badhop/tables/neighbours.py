"""`neighbours`, which captures and the outputs of LLDP tools both fill: declared with the captures' tables."""

from badhop.schema import captured

TABLE = captured("neighbours")
