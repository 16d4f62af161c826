//! Code for sets of squares: one value for each word that is not known to be empty.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use cranelift_frontend::{FunctionBuilder, Variable};

use crate::tables::Stride;

/// A set of squares; a word that is absent is empty.
pub(crate) type Set = Vec<Option<Value>>;

/// Memory that is there and aligned.
pub(crate) fn words() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// Memory that is there.
pub(crate) fn bytes() -> MemFlagsData {
    MemFlagsData::new().with_trap_code(None)
}

/// Memory that is there, aligned, and never written while code runs.
pub(crate) fn constants() -> MemFlagsData {
    MemFlagsData::trusted().with_readonly().with_can_move()
}

/// Writes code for sets of `words` words.
pub(crate) struct Sets<'b> {
    pub(crate) b: FunctionBuilder<'b>,
    pub(crate) words: usize,
}

impl Sets<'_> {
    pub(crate) fn empty(&self) -> Set {
        vec![None; self.words]
    }

    pub(crate) fn number(&mut self, number: i64) -> Value {
        self.b.ins().iconst(I64, number)
    }

    pub(crate) fn constant(&mut self, mask: &[u64]) -> Set {
        mask.iter().map(|&word| (word != 0).then(|| self.number(word as i64))).collect()
    }

    pub(crate) fn load(&mut self, address: Value, offset: i32, flags: MemFlagsData) -> Set {
        let word = |at| Some(self.b.ins().load(I64, flags, address, offset + 8 * at as i32));
        (0..self.words).map(word).collect()
    }

    pub(crate) fn store(&mut self, set: &Set, address: Value, offset: i32) {
        for (at, word) in set.iter().enumerate() {
            let word = word.unwrap_or_else(|| self.b.ins().iconst(I64, 0));
            self.b.ins().store(words(), word, address, offset + 8 * at as i32);
        }
    }

    pub(crate) fn and(&mut self, left: &Set, right: &Set) -> Set {
        let word = |(left, right): (&Option<Value>, &Option<Value>)| {
            Some(self.b.ins().band((*left)?, (*right)?))
        };
        left.iter().zip(right).map(word).collect()
    }

    pub(crate) fn or(&mut self, left: &Set, right: &Set) -> Set {
        let word = |(left, right): (&Option<Value>, &Option<Value>)| match (*left, *right) {
            (Some(left), Some(right)) => Some(self.b.ins().bor(left, right)),
            (one, other) => one.or(other),
        };
        left.iter().zip(right).map(word).collect()
    }

    pub(crate) fn without(&mut self, left: &Set, right: &Set) -> Set {
        let word = |(left, right): (&Option<Value>, &Option<Value>)| match (*left, *right) {
            (Some(left), Some(right)) => Some(self.b.ins().band_not(left, right)),
            (left, _) => left,
        };
        left.iter().zip(right).map(word).collect()
    }

    pub(crate) fn and_mask(&mut self, set: &Set, mask: &[u64]) -> Set {
        let word = |(word, &mask): (&Option<Value>, &u64)| match (*word, mask) {
            (_, 0) | (None, _) => None,
            (word, u64::MAX) => word,
            (Some(word), mask) => {
                let mask = self.b.ins().iconst(I64, mask as i64);
                Some(self.b.ins().band(word, mask))
            }
        };
        set.iter().zip(mask).map(word).collect()
    }

    /// The set when the condition, a word of only ones or zeros, says so.
    pub(crate) fn when(&mut self, set: &Set, condition: Value) -> Set {
        let word = |word: &Option<Value>| Some(self.b.ins().band((*word)?, condition));
        set.iter().map(word).collect()
    }

    /// A word of only ones when the value is not zero, else of zeros.
    pub(crate) fn ones_if(&mut self, value: Value) -> Value {
        let is = self.b.ins().icmp_imm_s(IntCC::NotEqual, value, 0);
        let is = self.b.ins().uextend(I64, is);
        self.b.ins().ineg(is)
    }

    /// A value that is not zero exactly when the set is not empty; absent when it is known to be empty.
    pub(crate) fn any(&mut self, set: &Set) -> Option<Value> {
        let mut words = set.iter().flatten().copied();
        let first = words.next()?;
        Some(words.fold(first, |all, word| self.b.ins().bor(all, word)))
    }

    /// A value that is not zero exactly when the set is not empty.
    pub(crate) fn any_or_zero(&mut self, set: &Set) -> Value {
        self.any(set).unwrap_or_else(|| self.number(0))
    }

    pub(crate) fn count(&mut self, set: &Set) -> Value {
        let mut count = None;
        for &word in set.iter().flatten() {
            let here = self.b.ins().popcnt(word);
            count = Some(count.map_or(here, |count| self.b.ins().iadd(count, here)));
        }
        count.unwrap_or_else(|| self.b.ins().iconst(I64, 0))
    }

    /// The set of one square.
    pub(crate) fn single(&mut self, square: Value) -> Set {
        let one = self.number(1);
        // Shifts take the amount modulo 64.
        let bit = self.b.ins().ishl(one, square);
        if self.words == 1 {
            return vec![Some(bit)];
        }
        let zero = self.number(0);
        let word = self.b.ins().ushr_imm_s(square, 6);
        let in_word = |at| {
            let here = self.b.ins().icmp_imm_s(IntCC::Equal, word, at as i64);
            Some(self.b.ins().select(here, bit, zero))
        };
        (0..self.words).map(in_word).collect()
    }

    /// Whether a square is in the set, as one or zero.
    pub(crate) fn contains(&mut self, set: &Set, square: Value) -> Value {
        let single = self.single(square);
        let both = self.and(set, &single);
        let any = self.any(&both).unwrap_or_else(|| self.b.ins().iconst(I64, 0));
        let is = self.b.ins().icmp_imm_s(IntCC::NotEqual, any, 0);
        self.b.ins().uextend(I64, is)
    }

    /// Every square moved by `by` places; what leaves the words is lost.
    pub(crate) fn shifted(&mut self, set: &Set, by: i32) -> Set {
        let (over, bits) = (by.unsigned_abs() as usize / 64, i64::from(by.unsigned_abs() % 64));
        let mut shifted = self.empty();
        for (at, result) in shifted.iter_mut().enumerate() {
            let word = |at: Option<usize>| at.and_then(|at| set.get(at).copied().flatten());
            let (near, far) = if by >= 0 {
                (word(at.checked_sub(over)), word(at.checked_sub(over + 1)))
            } else {
                (word(Some(at + over)), word(Some(at + over + 1)))
            };
            let near = near.map(|near| match (bits, by >= 0) {
                (0, _) => near,
                (_, true) => self.b.ins().ishl_imm_s(near, bits),
                (_, false) => self.b.ins().ushr_imm_s(near, bits),
            });
            let far = far.filter(|_| bits > 0).map(|far| match by >= 0 {
                true => self.b.ins().ushr_imm_s(far, 64 - bits),
                false => self.b.ins().ishl_imm_s(far, 64 - bits),
            });
            *result = match (near, far) {
                (Some(near), Some(far)) => Some(self.b.ins().bor(near, far)),
                (one, other) => one.or(other),
            };
        }
        shifted
    }

    /// Where steps of certain lengths lead.
    pub(crate) fn strides(&mut self, set: &Set, strides: &[Stride]) -> Set {
        let mut reached = self.empty();
        for stride in strides {
            let moved = match &stride.after {
                // Squares from which no step is made would land outside the board, which is cut off afterwards.
                Some(board) => {
                    let moved = self.shifted(set, stride.distance);
                    self.and_mask(&moved, board)
                }
                None => {
                    let moving = self.and_mask(set, &stride.from);
                    self.shifted(&moving, stride.distance)
                }
            };
            reached = self.or(&reached, &moved);
        }
        reached
    }

    /// Where steps of certain lengths come from.
    pub(crate) fn strides_back(&mut self, set: &Set, strides: &[Stride]) -> Set {
        let mut reached = self.empty();
        for Stride { distance, from, .. } in strides {
            let moved = self.shifted(set, -*distance);
            let moved = self.and_mask(&moved, from);
            reached = self.or(&reached, &moved);
        }
        reached
    }

    /// The members up to and including the lowest of `stops`; all when there is none.
    pub(crate) fn up_to_lowest(&mut self, line: &Set, stops: &Set) -> Set {
        // Ones up to the lowest stop: stops ^ (stops - 1), over all words.
        let mut result = self.empty();
        let mut borrow: Option<Value> = None;
        for (at, result) in result.iter_mut().enumerate() {
            let stop = stops[at].unwrap_or_else(|| self.b.ins().iconst(I64, 0));
            let less = match borrow {
                None => self.b.ins().iadd_imm_s(stop, -1),
                Some(borrow) => self.b.ins().isub(stop, borrow),
            };
            let mask = self.b.ins().bxor(stop, less);
            // While no stop has been seen the borrow goes on.
            let none = self.b.ins().icmp_imm_s(IntCC::Equal, stop, 0);
            let none = self.b.ins().uextend(I64, none);
            borrow = Some(match borrow {
                None => none,
                Some(before) => self.b.ins().band(none, before),
            });
            *result = line[at].map(|line| self.b.ins().band(line, mask));
        }
        result
    }

    /// The members down to and including the highest of `stops`; all when there is none.
    pub(crate) fn down_to_highest(&mut self, line: &Set, stops: &Set) -> Set {
        let mut result = self.empty();
        let mut open: Option<Value> = None;
        for at in (0..self.words).rev() {
            let stop = stops[at].unwrap_or_else(|| self.b.ins().iconst(I64, 0));
            // Of a word without a stop, all: the lowest bit is as good as a stop then.
            let stop_or_one = self.b.ins().bor_imm_s(stop, 1);
            let above = self.b.ins().clz(stop_or_one);
            let highest = self.b.ins().iconst(I64, i64::MIN);
            let highest = self.b.ins().ushr(highest, above);
            let mask = self.b.ins().ineg(highest);
            let mask = match open {
                None => mask,
                Some(open) => self.b.ins().band(mask, open),
            };
            if at > 0 {
                let none = self.b.ins().icmp_imm_s(IntCC::Equal, stop, 0);
                let none = self.b.ins().uextend(I64, none);
                let none = self.b.ins().ineg(none);
                open = Some(match open {
                    None => none,
                    Some(before) => self.b.ins().band(none, before),
                });
            }
            result[at] = line[at].map(|line| self.b.ins().band(line, mask));
        }
        result
    }
}

/// A set that is assigned more than once.
#[derive(Clone, Debug)]
pub(crate) struct SetVariable(Vec<Variable>);

impl Sets<'_> {
    pub(crate) fn variable(&mut self) -> SetVariable {
        SetVariable((0..self.words).map(|_| self.b.declare_var(I64)).collect())
    }

    pub(crate) fn read(&mut self, variable: &SetVariable) -> Set {
        variable.0.iter().map(|&variable| Some(self.b.use_var(variable))).collect()
    }

    pub(crate) fn assign(&mut self, variable: &SetVariable, set: &Set) {
        for (&variable, word) in variable.0.iter().zip(set) {
            let word = word.unwrap_or_else(|| self.b.ins().iconst(I64, 0));
            self.b.def_var(variable, word);
        }
    }

    /// Code for every square of the set, in ascending order. What the body writes must let its end be reached.
    pub(crate) fn next_square(
        &mut self,
        rest: &SetVariable,
        done: cranelift_codegen::ir::Block,
    ) -> Value {
        let found = self.b.create_block();
        let square = self.b.append_block_param(found, I64);
        let last = rest.0.len() - 1;
        for (at, &variable) in rest.0.iter().enumerate() {
            let word = self.b.use_var(variable);
            let take = self.b.create_block();
            let other = if at == last { done } else { self.b.create_block() };
            self.b.ins().brif(word, take, &[], other, &[]);
            self.b.seal_block(take);
            self.b.switch_to_block(take);
            let bit = self.b.ins().ctz(word);
            let less = self.b.ins().iadd_imm_s(word, -1);
            let rest = self.b.ins().band(word, less);
            self.b.def_var(variable, rest);
            let square = self.b.ins().iadd_imm_s(bit, 64 * at as i64);
            self.b.ins().jump(found, &[square.into()]);
            if at < last {
                self.b.seal_block(other);
                self.b.switch_to_block(other);
            }
        }
        self.b.seal_block(found);
        self.b.switch_to_block(found);
        square
    }
}
