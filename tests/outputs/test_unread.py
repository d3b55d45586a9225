"""The files of the corpus that no reader takes, each with the reason: none is forgotten, none taken by mistake."""

from fnmatch import fnmatchcase
from pathlib import Path, PurePath

import pytest

from badhop.sources.outputs import read_output
from badhop.sources.outputs.content import on_disk

INVENTORY = "versions, parts and hardware lists: no table asks for them"
PROTOCOLS = "the state of a protocol that moves no RDMA and no first token"
LISTS = "lists of sockets, processes or modules: no counts, no times"
NAMES = "names and addresses of interfaces only"
BRIEF = "a table of states whose columns differ from release to release: the detailed form is read"
POWER = "power, fans and room temperature of a switch"
SETTINGS = "settings of a host that no analysis asks for"
PART = "a piece of documentation or of a program, not an output"
NOTHING = "an error, or nothing but headings"
OTHER = "another system or tool than those of a GPU cluster"
BONDS = "bonds and teams: not read yet"
CLOCKS = "clock synchronisation: not read yet"
TELEMETRY = "model-driven telemetry of NX-OS: not read yet"
OPTICS = "performance counters of an optic: not read yet"
COUNTERS = "counters of the kernel that are not of the network, or have no table yet"
UNNAMED = "values without the names of their columns: only the command before them tells what they are"
STATE = "one fact of a device that sysfs keeps in a file of its own"

UNREAD = {
    "curl/*timeout*": "curl -v: its times are on the clock of nobody",
    "dcb/*FAILED*": NOTHING,
    "dcgm/dcgm-exporter__*.csv": "the configuration of dcgm-exporter, not an output of it",
    "dcgm/ml-engineering*": PART,
    "ethtool_misc/*FAIL*": NOTHING,
    "ethtool_misc/*TIMESTAMP*": "ethtool -T: capabilities of time stamping",
    "host_inventory/*lsmod*": LISTS,
    "linux_net/genie__*": OTHER,
    "linux_net/*bond__*": BONDS,
    "linux_net/*teamd*": BONDS,
    "linux_net/*test_ip__*": NAMES,
    "linux_net/*nmcli*": NAMES,
    "linux_net/*netns_exec*": NOTHING,
    "linux_net/*numa_cpus*": SETTINGS,
    "linux_net/*test_nvidia__*": UNNAMED,
    "linux_net/*rdma_config*": SETTINGS,
    "linux_net/*sockstat*": COUNTERS,
    "linux_net/*sysctl*": SETTINGS,
    "linux_net/*ifconfig*": OTHER,
    "linux_perf/*mpstat*": COUNTERS,
    "linux_perf/*vmstat-dt*": COUNTERS,
    "linux_perf/*iwconfig*": OTHER,
    "lldp/*": "settings and totals of LLDP itself, no neighbour",
    "lspci/sichek__*": PART,
    "nccl/*pytorch__block1*": PART,
    "nccl_tests/*failure*": NOTHING,
    "nccl_tests/*README__block5*": "the output of somebody's own script",
    "netq/*": INVENTORY,
    "nvidia-smi/*config.yaml": PART,
    "nvidia-smi/*uncooperative.sh": PART,
    "nvidia-smi/*empty-returned-field": UNNAMED,
    "nvidia-smi/*header-only-mismatch": NOTHING,
    "optics/*": OPTICS,
    "perfquery/rdma-core__*": PART,
    "proc_net/*": COUNTERS,
    "pytorch_fr/*fault_injection.log": "what the test bench did to the job",
    "pytorch_fr/*reference.txt": "what the test bench expected",
    "rdma_tool/*client2.log": "the log of somebody's own program",
    "sonic_cli/*": INVENTORY,
    "sonic_drops/*configuration*": "how counters of drops are configured",
    "sonic_ecn/*": "the answer of a command that sets something",
    "sonic_intf/*phy_*": OPTICS,
    "sonic_intf/*portchannel*": BONDS,
    "sonic_intf/*switchport*": NAMES,
    "sonic_intf/*intfutil_test__expected_output*": NAMES,
    "sonic_pg/*clear*": NOTHING,
    "ss_netstat/*": LISTS,
    "switch_eos/*environment*": POWER,
    "switch_eos/*transceiver_hardware*": INVENTORY,
    "switch_eos/*inventory*": INVENTORY,
    "switch_eos/*ip_interface_brief*": NAMES,
    "switch_eos/*mac_*": PROTOCOLS,
    "switch_eos/*port-channel*": BONDS,
    "switch_eos/*version*": INVENTORY,
    "switch_junos/*hassis*": INVENTORY,
    "switch_junos/*ClassOfService*": BRIEF,
    "switch_junos/*ShowInterfaces*": BRIEF,
    "switch_junos/*KrtQueue*": PROTOCOLS,
    "switch_junos/*acp*": BONDS,
    "switch_junos/*Ospf*": PROTOCOLS,
    "switch_junos/*ShowSystem*": COUNTERS,
    "switch_junos/*ersion*": INVENTORY,
    "switch_junos/*ethernet-switching*": NAMES,
    "switch_nxos/*Bfd*": PROTOCOLS,
    "switch_nxos/*HardwareInternal*": PROTOCOLS,
    "switch_nxos/*ShowInterface*": BRIEF,
    "switch_nxos/*ShowIp*": PROTOCOLS,
    "switch_nxos/*ShowIsis*": PROTOCOLS,
    "switch_nxos/*ShowLacp*": BONDS,
    "switch_nxos/*MacSec*": PROTOCOLS,
    "switch_nxos/*PortChannel*": BONDS,
    "switch_nxos/*ersion*": INVENTORY,
    "switch_nxos/*VlanCounters*": BRIEF,
    "switch_nxos/*cts*": PROTOCOLS,
    "switch_nxos/*environment*": POWER,
    "switch_nxos/*show_interface_*": BRIEF,
    "switch_nxos/*inventory*": INVENTORY,
    "switch_nxos/*show_ip_*": PROTOCOLS,
    "switch_nxos/*mac_address*": PROTOCOLS,
    "switch_nxos/*port-channel*": BONDS,
    "switch_other/*version*": INVENTORY,
    "switch_other/*brief*": BRIEF,
    "switch_other/*status*": BRIEF,
    "switch_other/*switchport*": NAMES,
    "switch_other/*bound_interface*": BRIEF,
    "switch_other/*ip_link_show*": NAMES,
    "switch_telemetry/*cisco_mdt*": TELEMETRY,
    "time_sync/*": CLOCKS,
    "sysfs/*": STATE,
}
"""Patterns of files that nobody reads, and why. A file that a pattern matches may be read all the same."""


def reasons(inside: PurePath) -> list[str]:
    return [reason for pattern, reason in UNREAD.items() if fnmatchcase(str(inside), pattern)]


@pytest.mark.each_file("path", "corpus/text/*/*", "corpus/text/sysfs/**/*")
def test_a_file_that_nobody_reads_is_listed_with_its_reason(path: Path, corpus: Path) -> None:
    inside = PurePath(path.relative_to(corpus / "corpus/text"))
    if read_output(on_disk(path, inside, path.name)) is None:
        assert reasons(inside), f"{inside} is read by nobody, and nobody says why"


def test_every_pattern_still_has_such_a_file(corpus: Path) -> None:
    folder = corpus / "corpus/text"
    for pattern in UNREAD:
        if pattern.startswith("sysfs"):
            continue
        files = [path for path in folder.glob(pattern) if path.is_file()]
        unread = [path for path in files if read_output(on_disk(path, path.relative_to(folder), path.name)) is None]
        assert unread, f"{pattern}: every file is read by now"
