"""What the kernel counted at interfaces, in the words of ip, ifconfig, netstat and /proc/net/dev."""

from pathlib import Path

import pytest

from badhop.sources.outputs.kinds.nic import ifconfig, ip_statistics, netstat_interfaces, proc_net_dev
from badhop.tables import counters
from outputs.claimed import of_file, of_text, rows
from outputs.readings import readings

TEXT = "corpus/text"
CLAIMED = {
    "genie__linux__Ifconfig__golden_output_interface_output.txt": (ifconfig.KIND.name, 13),
    "genie__linux__Ifconfig__golden_output_two_output.txt": (ifconfig.KIND.name, 52),
    "jc__centos-7.7__ifconfig.out": (ifconfig.KIND.name, 39),
    "jc__ubuntu-18.04__ifconfig.out": (ifconfig.KIND.name, 26),
    "insights-core__test_ip__IP_S_LINK.txt": (ip_statistics.KIND.name, 60),
    "insights-core__test_ip__IP_S_LINK_ALL_2.txt": (ip_statistics.KIND.name, 72),
    "insights-core__test_ip__IP_S_LINK_ALL_4.txt": (ip_statistics.KIND.name, 80),
    "sandbox__ip_s_s_link.txt": (ip_statistics.KIND.name, 22),
    "dynolog__proc_net_dev.txt": (proc_net_dev.KIND.name, 48),
    "jc__centos-7.7__netstat-i.out": (netstat_interfaces.KIND.name, 24),
    "jc__freebsd12__netstat-ib.out": (netstat_interfaces.KIND.name, 16),
}
NAMES = {kind.KIND.name for kind in (ifconfig, ip_statistics, netstat_interfaces, proc_net_dev)}


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_they_claim_their_own_files_and_no_other(path: Path) -> None:
    told = of_file(path)
    claimed = NAMES & set(told.kinds) if told else set()
    assert claimed == ({CLAIMED[path.name][0]} if path.name in CLAIMED else set())
    if told and claimed:
        assert told.rows == {"counters": CLAIMED[path.name][1]}
        assert list(told.problems) == []


@pytest.mark.parametrize(
    ("file", "raw_name", "found"),
    [
        (
            "linux_net/insights-core__test_ip__IP_S_LINK.txt",
            "RX bytes",
            "4 enp0s3 1113685 bytes bytes rx host - - -",
        ),
        (
            "linux_net/insights-core__test_ip__IP_S_LINK_ALL_2.txt",
            "RX dropped",
            "11 eno1 5632499 discard_pkts packets rx host - - -",
        ),
        (
            "linux_net/insights-core__test_ip__IP_S_LINK_ALL_4.txt",
            "RX dropped",
            "18 ens1f1 67 discard_pkts packets rx host - - -",
        ),
        ("linux_net/sandbox__ip_s_s_link.txt", "TX transns", "10 va 2 link_changes events tx phy - - -"),
        ("linux_net/sandbox__ip_s_s_link.txt", "RX crc", "6 va 0 fcs_err_frames frames rx mac - - -"),
        ("linux_net/jc__centos-7.7__ifconfig.out", "RX packets", "13 ens33 8061 packets packets rx host - - -"),
        ("linux_net/jc__ubuntu-18.04__ifconfig.out", "TX bytes", "7 ens33 3772041 bytes bytes tx host - - -"),
        (
            "linux_net/genie__linux__Ifconfig__golden_output_two_output.txt",
            "TX bytes",
            "9 eth0 6145946777794 bytes bytes tx host - - -",
        ),
        (
            "linux_net/genie__linux__Ifconfig__golden_output_two_output.txt",
            "TX collisions",
            "8 eth0 0 collisions events tx mac - - -",
        ),
        (
            "linux_net/genie__linux__Ifconfig__golden_output_interface_output.txt",
            "TX carrier",
            "12 eth1 0 carrier_err events tx phy - - -",
        ),
        ("proc_net/dynolog__proc_net_dev.txt", "Receive drop", "3 eth0 6734908 discard_pkts packets rx host - - -"),
        ("proc_net/dynolog__proc_net_dev.txt", "Transmit packets", "4 eth1 100254 packets packets tx host - - -"),
        ("ss_netstat/jc__centos-7.7__netstat-i.out", "TX-OK", "4 ens33 312 packets packets tx host - - -"),
        ("ss_netstat/jc__freebsd12__netstat-ib.out", "Ibytes", "2 em0 372538087 bytes bytes rx host - - -"),
    ],
)
def test_real_values(corpus: Path, file: str, raw_name: str, found: str) -> None:
    assert found in readings(of_file(corpus / TEXT / file))[raw_name]


def test_a_virtual_function_is_not_its_interface(corpus: Path) -> None:
    found = readings(of_file(corpus / TEXT / "linux_net/insights-core__test_ip__IP_S_LINK_ALL_4.txt"))
    assert found["RX packets"][2] == "18 ens1f1 257835 packets packets rx host - - -"
    assert found["VF RX packets"][0] == "23 ens1f1 vf 0 192865 packets packets rx function - - -"


def test_addresses_of_bsd_are_part_of_their_link(corpus: Path) -> None:
    told = of_file(corpus / TEXT / "ss_netstat/jc__freebsd12__netstat-ib.out")
    assert {row[0] for row in rows(told, counters.TABLE, "device")} == {"em0", "lo0"}


def test_ip_as_json() -> None:
    told = of_text(
        '[{"ifindex":2,"ifname":"eth0","flags":["UP"],"stats64":{"rx":{"bytes":5,"packets":1,"over_errors":3},'
        '"tx":{"bytes":7,"carrier_changes":2}}}]'
    )
    assert readings(told) == {
        "RX bytes": ["1 eth0 5 bytes bytes rx host - - -"],
        "RX packets": ["1 eth0 1 packets packets rx host - - -"],
        "RX over_errors": ["1 eth0 3 discard_pkts packets rx host - - no_buffer"],
        "TX bytes": ["1 eth0 7 bytes bytes tx host - - -"],
        "TX carrier_changes": ["1 eth0 2 link_changes events tx phy - - -"],
    }


def test_cut_json_is_a_problem() -> None:
    told = of_text('[{"ifindex":2,"ifname":"eth0","stats64":{"rx":{"bytes":5,')
    assert told is not None
    assert (told.rows, [problem["line"] for problem in told.problems]) == ({}, [1])


def test_a_line_with_too_few_values_is_a_problem_and_no_zeros() -> None:
    link = "2: eth0: <UP> mtu 1500\n    RX: bytes  packets  errors\n    1 2\n    TX: bytes  packets\n    3 4\n"
    told = of_text(link)
    assert rows(told, counters.TABLE, "raw_name", "value") == [("TX bytes", 3.0), ("TX packets", 4.0)]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [3]
    head = "Inter-|   Receive  |  Transmit\n face |bytes    packets\n"
    told = of_text(head + "  eth0: 1 2 3\n")
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [3]
    told = of_text("Kernel Interface table\nIface MTU RX-OK RX-ERR TX-OK Flg\neth0 1500 1 2\n")
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [3]


def test_proc_net_dev_again_and_again_is_a_series() -> None:
    once = "Inter-|   Receive  |  Transmit\n face |bytes    packets\n  eth0: {} 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
    told = of_text("".join(f"Tue Dec  1 12:00:0{n} UTC 2026\n{once.format(n)}" for n in (1, 2)))
    found = rows(told, counters.TABLE, "sample", "raw_name", "value")
    assert [row for row in found if row[1] == "Receive bytes"] == [
        (1, "Receive bytes", 1.0),
        (2, "Receive bytes", 2.0),
    ]


def test_interfaces_without_counters_are_not_claimed() -> None:
    assert of_text("2: eth0: <BROADCAST,UP> mtu 1500\n    link/ether 52:54:00:36:37:eb\n") is None
    assert of_text("en0: flags=8863<UP> mtu 1500\n\tether 68:a8:6d:12:f5:75\n\tstatus: active\n") is None


def test_long_hostile_lines_cost_linear_time() -> None:
    text = "2: eth0: <UP>\n    RX: bytes\n    1\n    TX: bytes\n    2\n    RX: " + "a " * 300_000 + "\n" + " " * 300_000
    assert len(rows(of_text(text), counters.TABLE, "value")) == 2
    text = "eth0: flags=1\n  RX packets 5  bytes 6\n  TX " + "packets " * 100_000 + "\n" + "RX " * 100_000
    assert len(rows(of_text(text), counters.TABLE, "value")) == 2
