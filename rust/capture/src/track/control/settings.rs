//! Which of a neighbour's announced values are settings: a change of them is an event.

use crate::tables::neighbours::announced::Announced;

/// A setting: its name, and its value as text.
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) text: fn(&Announced) -> Option<String>,
}

const fn setting(name: &'static str, text: fn(&Announced) -> Option<String>) -> Setting {
    Setting { name, text }
}

/// Names of the columns of `neighbours`. The state of LACP has events of its own.
pub(super) const SETTINGS: &[Setting] = &[
    setting("system_name", |said| said.system_name.clone()),
    setting("port_description", |said| said.port_description.clone()),
    setting("management_address", |said| said.management_address.map(|x| x.to_string())),
    setting("port_vlan", |said| said.port_vlan.map(|x| x.to_string())),
    setting("max_frame", |said| said.max_frame.map(|x| x.to_string())),
    setting("mtu", |said| said.mtu.map(|x| x.to_string())),
    setting("aggregated", |said| said.aggregated.map(|x| x.to_string())),
    setting("mau_type", |said| said.mau_type.map(|x| x.to_string())),
    setting("duplex", |said| said.duplex.map(ToOwned::to_owned)),
    setting("dcbx", |said| said.dcbx().map(ToOwned::to_owned)),
    setting("pfc", Announced::pfc_text),
    setting("pfc_willing", |said| said.pfc.map(|x| x.willing.to_string())),
    setting("pfc_operating", |said| said.pfc?.operating.map(|x| x.to_string())),
    setting("ets_willing", |said| said.ets?.willing.map(|x| x.to_string())),
    setting("ets_classes", |said| said.ets.map(|x| x.classes_text())),
    setting("ets_bandwidth", |said| said.ets.map(|x| x.bandwidth_text())),
    setting("ets_algorithms", |said| said.ets?.algorithms_text()),
    setting("apps", Announced::apps_text),
];

/// What an engineer calls a port: device and port, as far as they are known.
pub(super) fn name(said: &Announced) -> String {
    let device = said.system_name.as_deref().or(said.chassis_id.as_deref()).unwrap_or("unknown device");
    let port = said.port_id.as_deref().unwrap_or("unknown");
    format!("{device} port {port}")
}
