//! The stack machine of a pickle, for plain data. Containers stand in a list of their own and are named by number, so
//! that one can be used twice, or even inside itself, without a copy and without a cycle of pointers.

use std::collections::HashMap;
use std::sync::Arc;

use super::{MAX_DEPTH, MAX_ITEMS, Refused};

/// Something on the stack.
#[derive(Debug, Clone)]
pub enum Item {
    None,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
    /// Its number in [`Stack::containers`].
    Container(usize),
}

/// A list or tuple, or a dict.
#[derive(Debug)]
pub enum Container {
    List(Vec<Item>),
    Dict(Vec<(Item, Item)>),
}

#[derive(Debug, Default)]
pub struct Stack {
    items: Vec<Item>,
    /// Lengths of `items` at each MARK.
    marks: Vec<usize>,
    memo: HashMap<u32, Item>,
    pub containers: Vec<Container>,
    pushed: usize,
    /// Whether containers are remembered before they are filled, as Python does and torch does not.
    python: bool,
}

impl Stack {
    pub fn push(&mut self, item: Item, at: usize) -> Result<(), Refused> {
        self.pushed += 1;
        if self.pushed > MAX_ITEMS {
            return Err(Refused::new(at, format!("more than {MAX_ITEMS} items")));
        }
        self.items.push(item);
        Ok(())
    }

    /// Text; bytes that are no UTF-8 are replaced, as everywhere in badhop.
    pub fn push_text(&mut self, bytes: &[u8], at: usize) -> Result<(), Refused> {
        self.push(Item::Text(String::from_utf8_lossy(bytes).into()), at)
    }

    pub fn push_bytes(&mut self, bytes: &[u8], at: usize) -> Result<(), Refused> {
        self.push(Item::Bytes(bytes.into()), at)
    }

    pub fn push_dict(&mut self, at: usize) -> Result<(), Refused> {
        self.push_container(Container::Dict(Vec::new()), at)
    }

    /// A list of the last `count` items.
    pub fn push_list(&mut self, count: usize, at: usize) -> Result<(), Refused> {
        let floor = self.floor();
        let start = self.items.len().checked_sub(count).filter(|start| *start >= floor);
        let items = self.items.split_off(start.ok_or_else(|| underflow(at))?);
        self.push_container(Container::List(items), at)
    }

    pub fn push_marked_list(&mut self, at: usize) -> Result<(), Refused> {
        let items = self.pop_marked(at)?;
        self.push_container(Container::List(items), at)
    }

    fn push_container(&mut self, container: Container, at: usize) -> Result<(), Refused> {
        self.containers.push(container);
        self.push(Item::Container(self.containers.len() - 1), at)
    }

    pub fn mark(&mut self, at: usize) -> Result<(), Refused> {
        if self.marks.len() >= MAX_DEPTH {
            return Err(Refused::new(at, format!("more than {MAX_DEPTH} levels")));
        }
        self.marks.push(self.items.len());
        Ok(())
    }

    pub fn append(&mut self, at: usize) -> Result<(), Refused> {
        let item = self.pop(at)?;
        self.extend(vec![item], at)
    }

    pub fn append_marked(&mut self, at: usize) -> Result<(), Refused> {
        let items = self.pop_marked(at)?;
        self.extend(items, at)
    }

    fn extend(&mut self, items: Vec<Item>, at: usize) -> Result<(), Refused> {
        match self.top_container() {
            Some(Container::List(list)) => list.extend(items),
            _ => return Err(Refused::new(at, "an append to what is no list".to_owned())),
        }
        Ok(())
    }

    pub fn set(&mut self, at: usize) -> Result<(), Refused> {
        let value = self.pop(at)?;
        let key = self.pop(at)?;
        self.insert(vec![key, value], at)
    }

    pub fn set_marked(&mut self, at: usize) -> Result<(), Refused> {
        let items = self.pop_marked(at)?;
        if items.len() % 2 != 0 {
            return Err(Refused::new(at, "a key without value".to_owned()));
        }
        self.insert(items, at)
    }

    fn insert(&mut self, items: Vec<Item>, at: usize) -> Result<(), Refused> {
        let keys = items.iter().step_by(2);
        if keys.clone().any(|key| matches!(key, Item::Container(_))) {
            return Err(Refused::new(at, "a container as key".to_owned()));
        }
        match self.top_container() {
            Some(Container::Dict(dict)) => {
                let mut items = items.into_iter();
                while let (Some(key), Some(value)) = (items.next(), items.next()) {
                    dict.push((key, value));
                }
            }
            _ => return Err(Refused::new(at, "a key for what is no dict".to_owned())),
        }
        Ok(())
    }

    pub fn remember(&mut self, number: u32, at: usize) -> Result<(), Refused> {
        let item = self.items.last().cloned().ok_or_else(|| underflow(at))?;
        self.python |= self.is_new(&item);
        if self.memo.len() >= MAX_ITEMS {
            return Err(Refused::new(at, format!("more than {MAX_ITEMS} items to remember")));
        }
        self.memo.insert(number, item);
        Ok(())
    }

    pub fn remember_next(&mut self, at: usize) -> Result<(), Refused> {
        let number = u32::try_from(self.memo.len());
        self.remember(number.map_err(|_| Refused::new(at, "too much to remember".to_owned()))?, at)
    }

    pub fn recall(&mut self, number: u32, at: usize) -> Result<(), Refused> {
        match self.memo.get(&number).cloned() {
            Some(item) => self.push(item, at),
            None => Err(Refused::new(at, format!("a use of {number}, which was not remembered"))),
        }
    }

    /// The only item that is left at STOP.
    pub fn finish(&mut self, at: usize) -> Result<Item, Refused> {
        if !self.marks.is_empty() || self.items.len() != 1 {
            return Err(Refused::new(at, "the end within a container".to_owned()));
        }
        self.items.pop().ok_or_else(|| underflow(at))
    }

    /// How many marks are open, and what stands on the stack under all of them.
    pub fn open(&self) -> (usize, usize) {
        (self.marks.len(), self.marks.first().copied().unwrap_or(self.items.len()))
    }

    pub fn top_is_container(&self) -> bool {
        matches!(self.items.last(), Some(Item::Container(_)))
    }

    /// Whether a container stands on top into which nothing was put yet, and which is not the only one.
    pub fn top_is_new(&self) -> bool {
        self.items.len() > 1 && self.items.last().is_some_and(|item| self.is_new(item))
    }

    fn is_new(&self, item: &Item) -> bool {
        let Item::Container(number) = item else { return false };
        self.containers.get(*number).is_some_and(|container| match container {
            Container::List(list) => list.is_empty(),
            Container::Dict(dict) => dict.is_empty(),
        })
    }

    fn top_container(&mut self) -> Option<&mut Container> {
        match self.items.last() {
            Some(Item::Container(number)) => self.containers.get_mut(*number),
            _ => None,
        }
    }

    pub fn pop(&mut self, at: usize) -> Result<Item, Refused> {
        if self.items.len() <= self.floor() {
            return Err(underflow(at));
        }
        self.items.pop().ok_or_else(|| underflow(at))
    }

    pub fn pop_marked(&mut self, at: usize) -> Result<Vec<Item>, Refused> {
        let mark = self.marks.pop().ok_or_else(|| Refused::new(at, "an end without begin".to_owned()))?;
        Ok(self.items.split_off(mark.min(self.items.len())))
    }

    /// Items below the last mark belong to a container that is still open.
    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    /// Fills the container on top with items, as far as they fit; whether there was one.
    ///
    /// Python writes a container of one item without MARK: what follows an empty one may belong into it, and is left out.
    pub fn fill(&mut self, mut items: Vec<Item>) -> bool {
        if self.python {
            let open = items.iter().position(|item| self.is_new(item));
            items.truncate(open.unwrap_or(items.len()));
        }
        match self.top_container() {
            Some(Container::List(list)) => list.extend(items),
            Some(Container::Dict(dict)) => {
                let mut items = items.into_iter();
                while let (Some(key), Some(value)) = (items.next(), items.next()) {
                    if !matches!(key, Item::Container(_)) {
                        dict.push((key, value));
                    }
                }
            }
            None => return false,
        }
        true
    }
}

fn underflow(at: usize) -> Refused {
    Refused::new(at, "nothing on the stack that it needs".to_owned())
}
