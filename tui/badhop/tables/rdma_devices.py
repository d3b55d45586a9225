"""`rdma_devices`: each RDMA port: state, GIDs, MTU, firmware, driver."""

from badhop.tables.place import told_table

TABLE = told_table("rdma_devices", "Each RDMA port: state, GIDs, MTU, firmware, driver.")
