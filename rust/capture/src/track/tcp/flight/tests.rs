use super::*;

fn segment(seq: u32, ts: i64) -> Segment<'static> {
    Segment {
        frame: ts as u64,
        ts,
        seq,
        ack: 0,
        len: 10,
        window: 1,
        flags: 0,
        ce: false,
        id: None,
        options: super::super::options::Options::default(),
        raw_options: &[],
    }
}

fn pass(flight: &mut Flight, start: u32) {
    flight.advance(&segment(start, i64::from(start)), start, start.wrapping_add(10), true);
}

#[test]
fn a_hole_is_filled_piece_by_piece_and_once() {
    let mut flight = Flight::default();
    pass(&mut flight, 0);
    pass(&mut flight, 40);
    assert_eq!(flight.fill(20, 30).map(|hole| (hole.start, hole.end)), Some((10, 40)));
    assert_eq!(flight.fill(20, 30).map(|hole| hole.start), None);
    assert_eq!(flight.fill(5, 15).map(|hole| (hole.start, hole.end)), Some((10, 20)));
    assert_eq!(flight.fill(0, 40).map(|hole| (hole.start, hole.end)), Some((15, 20)));
    assert!(!flight.has_holes());
}

#[test]
fn what_is_acknowledged_inside_a_hole_is_a_gap_and_the_rest_stays_a_hole() {
    let mut flight = Flight::default();
    pass(&mut flight, 0);
    pass(&mut flight, 40);
    let mut gaps = Vec::new();
    flight.acknowledge(25, &mut gaps);
    assert_eq!(gaps.iter().map(|gap| (gap.start, gap.end)).collect::<Vec<_>>(), [(10, 25)]);
    assert_eq!(flight.fill(25, 40).map(|hole| (hole.start, hole.end)), Some((25, 40)));
}

#[test]
fn numbers_wrap() {
    let mut flight = Flight::default();
    let start = u32::MAX - 14;
    (0..4).for_each(|at| pass(&mut flight, start.wrapping_add(at * 10)));
    assert_eq!(flight.sent(2).map(|sent| sent.start), Some(start.wrapping_add(10)));
    let covered = flight.acknowledge(5, &mut Vec::new());
    assert_eq!((covered.count, covered.latest.map(|sent| sent.end)), (2, Some(5)));
    assert_eq!(flight.bytes(), 20);
}

#[test]
fn memory_has_a_limit_and_says_so() {
    let mut flight = Flight::default();
    (0..MOST_OUTSTANDING as u32).for_each(|at| pass(&mut flight, at * 10));
    assert!(!flight.overflowed);
    pass(&mut flight, MOST_OUTSTANDING as u32 * 10);
    assert!(flight.overflowed);
    assert_eq!(flight.close(), MOST_OUTSTANDING as u64);
    let mut flight = Flight::default();
    (0..200).for_each(|at| pass(&mut flight, at * 20));
    assert!(flight.overflowed && flight.holes.len() <= MOST_HOLES);
}
