//! ECN marks of one flow, by traffic class (RFC 3168).

/// Traffic classes kept apart in one flow; DSCP and priority of further ones are dropped.
const MOST_CLASSES: usize = 16;

/// CE of the ECN field.
const CE: u8 = 3;

/// DSCP and VLAN priority.
pub type Class = (Option<u8>, Option<u8>);

/// What was counted of one traffic class.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    /// The class.
    pub class: Class,
    /// Packets by the value of their ECN field.
    pub counts: [u64; 4],
    /// Frame and time of the first mark.
    pub first_ce: Option<(u64, Option<i64>)>,
    /// Frame and time of the last mark.
    pub last_ce: Option<(u64, Option<i64>)>,
}

/// All of a flow. Nearly all flows have one class.
#[derive(Debug, Default)]
pub struct Marks {
    first: Option<Counted>,
    others: Vec<Counted>,
}

impl Marks {
    /// A packet passed.
    #[inline]
    pub fn on_packet(&mut self, class: Class, ecn: u8, frame: u64, ts: Option<i64>) {
        let first = self.first.get_or_insert(Counted::new(class));
        let counted = if first.class == class { first } else { Self::other(&mut self.others, class) };
        counted.counts[usize::from(ecn & CE)] += 1;
        if ecn == CE {
            counted.first_ce.get_or_insert((frame, ts));
            counted.last_ce = Some((frame, ts));
        }
    }

    #[cold]
    fn other(others: &mut Vec<Counted>, class: Class) -> &mut Counted {
        let place = match others.iter().position(|counted| counted.class == class) {
            Some(place) => place,
            None if others.len() < MOST_CLASSES => {
                others.push(Counted::new(class));
                others.len() - 1
            }
            None => {
                others[MOST_CLASSES - 1].class = (None, None);
                MOST_CLASSES - 1
            }
        };
        &mut others[place]
    }

    /// Each class.
    pub fn classes(&self) -> impl Iterator<Item = &Counted> {
        self.first.iter().chain(&self.others)
    }
}

impl Counted {
    const fn new(class: Class) -> Self {
        Self { class, counts: [0; 4], first_ce: None, last_ce: None }
    }

    /// Packets that are ECN capable and not marked.
    pub const fn capable(&self) -> u64 {
        self.counts[1] + self.counts[2]
    }

    /// Packets marked CE.
    pub const fn marked(&self) -> u64 {
        self.counts[3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_counted_apart_and_too_many_of_them_together() {
        let mut marks = Marks::default();
        for (frame, ecn) in (1..).zip([2, 3, 0, 3]) {
            marks.on_packet((Some(26), Some(3)), ecn, frame, Some(7));
        }
        marks.on_packet((Some(0), None), 1, 5, None);
        let found: Vec<_> = marks.classes().map(|c| (c.class.0, c.counts, c.first_ce, c.last_ce)).collect();
        let (first, last) = (Some((2, Some(7))), Some((4, Some(7))));
        assert_eq!(found, [(Some(26), [1, 0, 1, 2], first, last), (Some(0), [0, 1, 0, 0], None, None)]);
        for dscp in 1..64 {
            marks.on_packet((Some(dscp), None), 0, 9, None);
        }
        assert_eq!(marks.classes().count(), 1 + MOST_CLASSES);
        assert_eq!(marks.classes().map(|c| c.counts.iter().sum::<u64>()).sum::<u64>(), 4 + 1 + 63);
        assert_eq!(marks.classes().last().map(|c| c.class), Some((None, None)));
    }
}
