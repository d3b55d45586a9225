//! The result of reading a pickle: a tree of plain values.

use std::sync::Arc;

use super::stack::{Container, Item, Stack};
use super::{MAX_DEPTH, MAX_ITEMS, MAX_TEXT, Refused};

/// Levels of a cut file that are kept although they are not complete: the dump, and its lists and dicts.
pub const KEPT_LEVELS: usize = 2;

/// Plain data, as JSON has it, and bytes. Tuples are lists.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Python's `None`.
    None,
    /// A bool.
    Bool(bool),
    /// An int of at most 16 bytes.
    Int(i128),
    /// A float.
    Float(f64),
    /// A text, shared where the file uses it again.
    Text(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A list or tuple.
    List(Vec<Value>),
    /// A dict in the order of the file; of a key that comes twice the last one counts. No key is a container.
    Dict(Vec<(Value, Value)>),
}

/// The tree under an item. What is used twice is there twice, so both its size and its depth are limited: a list inside
/// itself is too deep.
pub fn expand(stack: &Stack, item: &Item) -> Result<Value, Refused> {
    Expansion { stack, items: 0, text: 0 }.value(item, 0)
}

struct Expansion<'a> {
    stack: &'a Stack,
    items: usize,
    text: usize,
}

impl Expansion<'_> {
    fn value(&mut self, item: &Item, depth: usize) -> Result<Value, Refused> {
        self.items += 1;
        self.text = self.text.saturating_add(match item {
            Item::Text(text) => text.len(),
            Item::Bytes(bytes) => bytes.len(),
            _ => 0,
        });
        if self.items > MAX_ITEMS || self.text > MAX_TEXT {
            let what = format!("more than {MAX_ITEMS} items or {} MiB of text", MAX_TEXT >> 20);
            return Err(Refused::new(0, what));
        }
        Ok(match item {
            Item::None => Value::None,
            Item::Bool(value) => Value::Bool(*value),
            Item::Int(value) => Value::Int(*value),
            Item::Float(value) => Value::Float(*value),
            Item::Text(text) => Value::Text(Arc::clone(text)),
            Item::Bytes(bytes) => Value::Bytes(Arc::clone(bytes)),
            Item::Container(number) => return self.container(*number, depth),
        })
    }

    fn container(&mut self, number: usize, depth: usize) -> Result<Value, Refused> {
        if depth >= MAX_DEPTH {
            return Err(Refused::new(0, format!("more than {MAX_DEPTH} levels")));
        }
        Ok(match self.stack.containers.get(number) {
            Some(Container::List(items)) => {
                Value::List(items.iter().map(|item| self.value(item, depth + 1)).collect::<Result<_, _>>()?)
            }
            Some(Container::Dict(pairs)) => {
                let pair =
                    |(key, value): &(Item, Item)| Ok((self.value(key, depth + 1)?, self.value(value, depth + 1)?));
                Value::Dict(pairs.iter().map(pair).collect::<Result<_, _>>()?)
            }
            None => Value::None,
        })
    }
}
