"""badhop finds the bad hop: from packet captures to the place in the fabric that is at fault.

    import badhop
    badhop.scan_capture("tor.pcap", "roce").filter(opcode_name="CNP").collect()

Importing this package is cheap: polars comes with the first scan.
"""

from typing import TYPE_CHECKING

from badhop._core import __version__

if TYPE_CHECKING:
    from badhop.sources.capture import scan_capture

__all__ = ["__version__", "scan_capture"]


def __getattr__(name: str) -> object:
    if name == "scan_capture":
        from badhop.sources.capture import scan_capture

        return scan_capture
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
