"""`pcie`: each PCIe link between a GPU or NIC and the root."""

from badhop.tables.place import told_table

TABLE = told_table("pcie", "Each PCIe link between a GPU or NIC and the root.")
