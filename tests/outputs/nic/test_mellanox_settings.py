"""mlxlink, mlnx_qos and dcb, as their sources print them: the corpus has no file of a working one."""

import json
from pathlib import Path

import pytest

from badhop.tables import links, qos
from outputs.claimed import of_file, of_text, rows

MLXLINK = """\
root@h12:~# mlxlink -d mlx5_0 -m -c

Operational Info
----------------
State                              : Active
Physical state                     : LinkUp
Speed                              : 400G
Width                              : 4x
FEC                                : Standard_RS-FEC - (544,514)
Loopback Mode                      : No Loopback
Auto Negotiation                   : ON

Supported Info
--------------
Enabled Link Speed (Ext.)          : 0x00013ff2 (400G_4X,200G_4X,100G_1X)

Troubleshooting Info
--------------------
Status Opcode                      : 0
Recommendation                     : No issue was observed

Module Info
-----------
Identifier                         : OSFP
Vendor Name                        : NVIDIA
Vendor Part Number                 : MMA4Z00-NS
Vendor Serial Number               : MT2331FT00001
Wavelength [nm]                    : 850
Temperature [C]                    : 46 [-10..80]
Voltage [mV]                       : 3246.1 [2970..3630]
Bias Current [mA]                  : 7.490,7.510,7.490,7.490 [2..15]
Rx Power Current [dBm]             : 0.5,-7.4,-inf,N/A [-10.41..5]
Tx Power Current [dBm]             : 1.1,1.2,1.3,1.4 [-7.604..5]

Physical Counters and BER Info
------------------------------
Time Since Last Clear [Min]        : 15.8
Effective Physical BER             : 15E-255
Raw Physical BER                   : 4E-9
Link Down Counter                  : 3
"""


def test_mlxlink_gives_the_optic_lane_by_lane_with_error_rates() -> None:
    told = of_text(MLXLINK)
    assert told is not None
    assert told.kinds == ("mlxlink",)
    columns = ("line", "host", "device", "lane", "rx_power_dbm", "tx_power_dbm", "bias_ma")
    assert rows(told, links.TABLE, *columns) == [
        (3, "h12", "mlx5_0", 1, 0.5, 1.1, 7.49),
        (3, "h12", "mlx5_0", 2, -7.4, 1.2, 7.51),
        (3, "h12", "mlx5_0", 3, -40.0, 1.3, 7.49),
        (3, "h12", "mlx5_0", 4, None, 1.4, 7.49),
    ]
    port = ("state", "speed_bps", "supported_bps", "lanes", "fec", "autoneg", "pre_fec_ber", "flaps", "reason")
    assert rows(told, links.TABLE, *port)[0] == (
        "up",
        400 * 10**9,
        400 * 10**9,
        4,
        "rs",
        "on",
        4e-9,
        3,
        None,
    )
    assert rows(told, links.TABLE, "temperature_c", "voltage_v", "post_fec_ber")[0] == (
        46.0,
        pytest.approx(3.2461),
        15e-255,
    )
    assert rows(told, links.TABLE, "rx_power_alarm_low_dbm", "rx_power_warning_low_dbm")[0] == (None, None)


def test_a_link_that_is_down_says_why_and_has_no_speed() -> None:
    told = of_text(
        "Operational Info\n----------------\nState                              : Polling\n"
        "Physical state                     : ETH_AN_FSM_ENABLE\nSpeed                              : N/A\n"
        "Width                              : N/A\nFEC                                : N/A\n"
        "Auto Negotiation                   : ON\n\nTroubleshooting Info\n--------------------\n"
        "Recommendation                     : Cable is unplugged\n"
    )
    columns = ("state", "speed_bps", "lanes", "fec", "reason", "lane", "pre_fec_ber")
    assert rows(told, links.TABLE, *columns) == [("down", None, None, None, "Cable is unplugged", None, None)]


def test_mlxlink_of_infiniband_as_json() -> None:
    output = {
        "Operational Info": {"State": "Active", "Physical state": "LinkUp", "Speed": "IB-NDR", "Width": "4x"},
        "Module Info": {"Temperature [C]": "51 [-10..80]", "Rx Power Current [dBm]": {"values": ["1.0", "0.9"]}},
    }
    told = of_text(json.dumps({"result": {"output": output}, "status": {"code": 0}}))
    assert rows(told, links.TABLE, "state", "speed_bps", "lanes", "temperature_c", "lane", "rx_power_dbm") == [
        ("up", 400 * 10**9, 4, 51.0, 1, 1.0),
        ("up", 400 * 10**9, 4, 51.0, 2, 0.9),
    ]


@pytest.mark.parametrize("length", range(0, len(MLXLINK), 29))
def test_a_cut_mlxlink_invents_no_lane(length: int) -> None:
    assert {row[0] for row in rows(of_text(MLXLINK[:length]), links.TABLE, "lane")} <= {None, 1, 2, 3, 4}


MLNX_QOS = """\
$ mlnx_qos -i eth4
DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
\tprio:0 dscp:07,06,05,04,03,02,01,00,
\tprio:3 dscp:31,30,29,28,27,26,25,24,
Receive buffer size (bytes): 20016,156096,0,0,0,0,0,0,
Cable len: 7
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0
\tbuffer      0   0   0   1   0   0   0   0
tc: 0 ratelimit: unlimited, tsa: ets, bw: 12%
\t priority:  0
tc: 1 ratelimit: unlimited, tsa: vendor
\t priority:  3
"""


def test_mlnx_qos() -> None:
    told = of_text(MLNX_QOS)
    assert told is not None
    assert told.kinds == ("mlnx_qos",)
    found = rows(told, qos.TABLE, "line", "device", "setting", "priority", "queue", "dscp", "value", "amount")
    assert (3, "eth4", "trust", None, None, None, "dscp", None) in found
    assert (6, "eth4", "priority_of_dscp", 3, None, 26, "3", None) in found
    assert (7, "eth4", "buffer_size", None, 1, None, "156096", 156096.0) in found
    assert [row[3] for row in found if row[2] == "pfc" and row[6] == "on"] == [3]
    assert sum(row[2] == "pfc" for row in found) == 8
    assert (13, "eth4", "bandwidth", None, 0, None, "12%", 12.0) in found
    assert (15, "eth4", "scheduler", None, 1, None, "vendor", None) in found
    assert (16, "eth4", "class_of_priority", 3, 1, None, "1", None) in found


@pytest.mark.parametrize("length", range(0, len(MLNX_QOS), 13))
def test_a_cut_mlnx_qos_switches_nothing_on(length: int) -> None:
    found = rows(of_text(MLNX_QOS[:length]), qos.TABLE, "setting", "priority", "value")
    assert {priority for setting, priority, value in found if setting == "pfc" and value == "on"} <= {3}


def test_dcb_as_text() -> None:
    told = of_text(
        "$ dcb pfc show dev eth4\npfc-cap 8 macsec-bypass off delay 0\n"
        "prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off\n"
        "$ dcb ets show dev eth4\nwilling off ets-cap 8 cbs off\n"
        "tc-tsa 0:ets 1:strict\ntc-bw 0:12 1:0\nprio-tc 0:0 3:1\n"
        "$ dcb app show dev eth4\ndscp-prio 26:3 CS6:6 AF31:3 EF:5 nonsense:1\n"
        "$ dcb buffer show dev eth4\nprio-buffer 0:0 3:1\nbuffer-size 0:20016b 1:156096b\ntotal-size 262016b\n"
    )
    found = rows(told, qos.TABLE, "line", "device", "setting", "priority", "queue", "dscp", "value")
    assert [row[3] for row in found if row[2] == "pfc" and row[6] == "on"] == [3]
    assert (6, "eth4", "scheduler", None, 1, None, "strict") in found
    assert (8, "eth4", "class_of_priority", 3, 1, None, "1") in found
    assert [row[5] for row in found if row[2] == "priority_of_dscp"] == [26, 48, 26, 46]
    assert ("buffer_size", 1, 156096.0, "bytes") in rows(told, qos.TABLE, "setting", "queue", "amount", "unit")
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [10]


def test_dcb_as_json() -> None:
    told = of_text('{"pfc_cap":8,"delay":0,"prio_pfc":[false,false,false,true,false,false,false,false]}')
    assert [row[1] for row in rows(told, qos.TABLE, "value", "priority") if row[0] == "on"] == [3]
    told = of_text('{"dscp-prio":[[26,3],[48,6]]}')
    assert rows(told, qos.TABLE, "setting", "dscp", "priority") == [
        ("priority_of_dscp", 26, 3),
        ("priority_of_dscp", 48, 6),
    ]


def test_a_failed_dcbtool_is_nobodys(corpus: Path) -> None:
    name = "insights-core__test_dcbtool_gc_dcb__DCBTOOL_GC_DCB_FAILED.txt"
    assert of_file(corpus / "corpus/text/dcb" / name) is None
