"""What a NIC and its optic are and how they are set: no counters."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.nic.settings import (
    dcb,
    driver,
    features,
    fec,
    link_settings,
    mlnx_qos,
    mlxlink,
    module,
    pause,
    pluggable,
    rings,
)

KINDS: tuple[Kind, ...] = (
    link_settings.KIND,
    fec.KIND,
    module.KIND,
    driver.KIND,
    pause.KIND,
    rings.RING,
    rings.COALESCE,
    features.FEATURES,
    features.FLAGS,
    mlxlink.TEXT,
    mlxlink.JSON,
    mlnx_qos.KIND,
    dcb.TEXT,
    dcb.JSON,
    pluggable.EEPROM,
    pluggable.STATUS,
    pluggable.ERRORS,
)
