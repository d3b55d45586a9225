//! What one pass over a capture gives: the rows of every tracked table.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use crate::tables::ack_timeouts::{ACK_TIMEOUTS, AckTimeout};
use crate::tables::capture_health::{CAPTURE_HEALTH, CaptureHealth};
use crate::tables::cm_events::{CM_EVENTS, CmEvent};
use crate::tables::cnp_rates::{CNP_RATES, CnpRate};
use crate::tables::columns::batch;
use crate::tables::comments::{COMMENTS, Comment};
use crate::tables::control_events::{CONTROL_EVENTS, ControlEvent};
use crate::tables::credits::{CREDITS, Credit};
use crate::tables::ecn_marks::{ECN_MARKS, EcnMark};
use crate::tables::interfaces::{INTERFACES, Interface};
use crate::tables::loss_episodes::{LOSS_EPISODES, LossEpisode};
use crate::tables::mirrors::{MIRRORS, MirrorRow};
use crate::tables::neighbours::{NEIGHBOURS, Neighbour};
use crate::tables::pause_time::{PAUSE_TIME, PauseTime};
use crate::tables::problems::{PROBLEMS, ProblemRow};
use crate::tables::requests::{REQUESTS, Request};
use crate::tables::rnr_waits::{RNR_WAITS, RnrWait};
use crate::tables::roce_qps::{ROCE_QPS, RoceQp};
use crate::tables::tcp_connections::{TCP_CONNECTIONS, TcpConnection};
use crate::tables::tcp_events::{TCP_EVENTS, TcpEvent};
use crate::tables::tokens::{TOKENS, Token};

/// The rows of each table, named for it.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Tracked {
    pub capture_health: Vec<CaptureHealth>,
    pub roce_qps: Vec<RoceQp>,
    pub loss_episodes: Vec<LossEpisode>,
    pub rnr_waits: Vec<RnrWait>,
    pub ack_timeouts: Vec<AckTimeout>,
    pub cnp_rates: Vec<CnpRate>,
    pub ecn_marks: Vec<EcnMark>,
    pub credits: Vec<Credit>,
    pub cm_events: Vec<CmEvent>,
    pub pause_time: Vec<PauseTime>,
    pub tcp_connections: Vec<TcpConnection>,
    pub tcp_events: Vec<TcpEvent>,
    pub requests: Vec<Request>,
    pub tokens: Vec<Token>,
    pub neighbours: Vec<Neighbour>,
    pub control_events: Vec<ControlEvent>,
    pub mirrors: Vec<MirrorRow>,
    pub interfaces: Vec<Interface>,
    pub comments: Vec<Comment>,
    pub problems: Vec<ProblemRow>,
}

impl Tracked {
    /// Every tracked table by name, in Arrow columns.
    ///
    /// # Errors
    /// See [`crate::tables::columns::Builder::finish`].
    pub fn batches(&self) -> Result<Vec<(&'static str, RecordBatch)>, ArrowError> {
        Ok(vec![
            batch(&CAPTURE_HEALTH, &self.capture_health)?,
            batch(&ROCE_QPS, &self.roce_qps)?,
            batch(&LOSS_EPISODES, &self.loss_episodes)?,
            batch(&RNR_WAITS, &self.rnr_waits)?,
            batch(&ACK_TIMEOUTS, &self.ack_timeouts)?,
            batch(&CNP_RATES, &self.cnp_rates)?,
            batch(&ECN_MARKS, &self.ecn_marks)?,
            batch(&CREDITS, &self.credits)?,
            batch(&CM_EVENTS, &self.cm_events)?,
            batch(&PAUSE_TIME, &self.pause_time)?,
            batch(&TCP_CONNECTIONS, &self.tcp_connections)?,
            batch(&TCP_EVENTS, &self.tcp_events)?,
            batch(&REQUESTS, &self.requests)?,
            batch(&TOKENS, &self.tokens)?,
            batch(&NEIGHBOURS, &self.neighbours)?,
            batch(&CONTROL_EVENTS, &self.control_events)?,
            batch(&MIRRORS, &self.mirrors)?,
            batch(&INTERFACES, &self.interfaces)?,
            batch(&COMMENTS, &self.comments)?,
            batch(&PROBLEMS, &self.problems)?,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_table_that_is_not_scanned_is_given_out() {
        let declared = crate::tables::all().into_iter().filter(|table| !table.scanned);
        let mut declared: Vec<_> = declared.map(|table| (table.name, table.columns.len())).collect();
        let mut batches = Tracked::default().batches().unwrap();
        batches.extend(crate::taps::Compared::default().batches().unwrap());
        let mut given: Vec<_> = batches.iter().map(|(name, batch)| (*name, batch.num_columns())).collect();
        declared.sort_unstable();
        given.sort_unstable();
        assert_eq!(declared, given);
    }
}
