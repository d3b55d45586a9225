"""What the path of a file in sysfs says: which counter of which device it holds. Its content is only a number."""

from dataclasses import dataclass
from pathlib import PurePath

from badhop import vocabulary
from badhop.sources.outputs.kinds.nic.rdma_names import CORE, dialects_of, known


@dataclass(frozen=True)
class SysfsPlace:
    """A counter of sysfs. `dialects` are those that its name may be of."""

    device: str | None
    name: str
    dialects: tuple[str, ...]


def place_of(path: PurePath) -> SysfsPlace | None:
    """None for a path that is no counter's: most of sysfs are settings and states."""
    parts = path.parts
    if len(parts) < 2:
        return None
    name, folder = parts[-1], parts[-2]
    if folder == "statistics" or (name.startswith("carrier_") and len(parts) > 2 and parts[-3] == "net"):
        device = folder if folder != "statistics" else parts[-3] if len(parts) > 2 else None
        return SysfsPlace(device, name, ("linux",)) if vocabulary.look_up(name, "linux") else None
    if folder not in ("counters", "counters_ext", "hw_counters"):
        return None
    device = _rdma_device(parts[:-2])
    if folder == "hw_counters":
        return SysfsPlace(device, name, dialects_of(device, (name,)))
    return SysfsPlace(device, name, (CORE,)) if known(name) else None


def _rdma_device(parts: tuple[str, ...]) -> str | None:
    """`…/infiniband/mlx5_0/ports/1` is mlx5_0/1; a device may have hw_counters of its own, without a port."""
    if len(parts) > 2 and parts[-2] == "ports":
        return f"{parts[-3]}/{parts[-1]}"
    return parts[-1] if len(parts) > 1 and parts[-2] == "infiniband" else None
