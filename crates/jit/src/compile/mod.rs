//! From the segment program to native code: one function for each stage and use of it.

mod body;
mod count;
mod execute;
mod exits;
mod expression;
mod first;
mod frame;
mod gather;
mod keeper;
mod known;
mod operations;
mod pace;
mod pieces;
mod record;
mod room;
mod sets;
mod sizes;
mod slots;
mod trail;
mod transfer;
mod watch;
mod ways;
mod write;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use cranelift_codegen::Context as CodeContext;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Signature};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module};
use regulus_automaton::verify::pattern_nesting;
use regulus_automaton::{Action, IdVec, Modifier, Node};
use regulus_engine::Rules as _;
use regulus_engine::plan::Plan;
use regulus_engine::segment::{Continuation, Exit, Watch};

use crate::native::MachineCode;
use crate::not_compiled::NotCompiled;
use crate::tables::Tables;
use body::Body;
use keeper::Work;

/// With more words than this the squares of moves are not recorded without asking whether there are any.
const MAX_FLAT: usize = 8;

/// How many operations on sets there may be between two writes.
const MAX_COST: u64 = 1 << 26;

/// How many operations, each once, and exits a stage or a survey may have for a function to be made of it.
const MAX_OPERATIONS: usize = 2_000;

/// How many instructions, before they are those of the machine, all code may have: what takes about two seconds.
const MAX_INSTRUCTIONS: usize = 600_000;

/// How many of them one function may have: Cranelift takes a megabyte and more for each thousand.
const MAX_FUNCTION: usize = 200_000;

/// How many bytes of stack calls may take that do not ask how much is left: patterns within each other, and what the keeper
/// does. Where it is asked, there is more than that.
const MAX_STACK: usize = 1 << 20;

/// What a compiled function does, and for which stage, survey, watch or shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FunctionKind {
    /// Evaluates the watches of a stage and finds all moves from it on.
    Enter(u32),
    /// Finds all moves from a stage on.
    All(u32),
    /// The same where a move begins, and nothing has to be tried to find it.
    Flat(u32),
    /// Does the first move from a stage on, keeping what it writes.
    First(u32),
    /// The same without fingerprints.
    QuickFirst(u32),
    /// Says whether a pattern succeeds from a stage on.
    Test(u32),
    /// Computes a survey into its area.
    Survey(u32),
    /// Evaluates a watch into an area.
    Watch(u32),
    /// The same for a watch whose pattern is known to succeed.
    WatchSuccess(u32),
    /// Records moves.
    Record,
    /// Plays the steps of a move.
    Execute,
    /// The same without fingerprints.
    QuickExecute,
    /// Plays a move of a shape, without fingerprints.
    Finish(u32),
    /// Makes moves of a shape, which are the last of a tree that is counted, or leaves it to the next.
    Leaves(u32),
    /// The same for moves after which there are others.
    Moves(u32),
    /// Counts the tree below a state.
    Visit,
    /// Lets the keeper move until a player is in control or it is stuck.
    Keep,
}

/// What a whole piece of native code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodePurpose {
    /// Moves are recorded, and played with fingerprints.
    Play,
    /// Moves are made one after the other to count what comes after them; fingerprints are not kept.
    Count,
}

/// The machine that code is made for and placed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Machine {
    /// This one, with all its instructions.
    #[default]
    Host,
    /// This one with the instructions that all of its kind have.
    #[cfg(test)]
    Oldest,
    /// This one, were it not to let memory be executed.
    #[cfg(test)]
    WithoutCode,
}

impl Machine {
    fn isa(self) -> Result<cranelift_codegen::isa::Builder, &'static str> {
        #[cfg(test)]
        if self == Machine::Oldest {
            return cranelift_native::builder_with_options(false);
        }
        cranelift_native::builder()
    }

    fn prepare(self, builder: &mut JITBuilder) {
        #[cfg(test)]
        if self == Machine::WithoutCode {
            builder.memory_provider(Box::new(no_code::Refusing::default()));
        }
        let _ = builder;
    }
}

#[cfg(test)]
mod no_code;

/// What is done at the end of recorded moves: on the square, and before it on another at a fixed distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shape {
    pub(crate) first: Option<(Modifier, i32)>,
    pub(crate) finish: u32,
}

/// Native code and where to enter it.
pub(crate) struct Code {
    pub(crate) module: JITModule,
    pub(crate) all: IdVec<Node, Option<*const u8>>,
    pub(crate) first: IdVec<Node, Option<*const u8>>,
    /// Without fingerprints; empty when counting.
    pub(crate) quick_first: Vec<Option<*const u8>>,
    pub(crate) quick_execute: Option<*const u8>,
    /// For each shape, to play a move of it without fingerprints; empty when counting.
    pub(crate) finish: Vec<*const u8>,
    /// The code that plays steps, or counts.
    pub(crate) execute: *const u8,
    pub(crate) shapes: Vec<Shape>,
    /// How many words the surveys' answers take.
    pub(crate) area_words: usize,
    /// How many bytes of code there are.
    pub(crate) size: usize,
}

/// The functions that are entered from outside.
struct Functions {
    /// For each node: to find all moves, to do the first, and to do it without fingerprints.
    entries: Vec<(Option<FuncId>, Option<FuncId>, Option<FuncId>)>,
    execute: FuncId,
    quick_execute: Option<FuncId>,
    /// For each shape.
    finish: Vec<FuncId>,
}

/// Compiling a game.
pub(crate) struct Compiler<'a> {
    plan: &'a Plan,
    tables: &'a Tables,
    words: usize,
    module: JITModule,
    function_of: BTreeMap<FunctionKind, FuncId>,
    queue: Vec<FunctionKind>,
    shapes: Vec<Shape>,
    numbers: BTreeMap<Shape, u32>,
    sizes: BTreeMap<FunctionKind, usize>,
    purpose: CodePurpose,
    /// What the keeper may do from stages on, as far as it was asked for.
    works: BTreeMap<u32, Rc<Work>>,
    /// How much code may still be written in place of calls.
    room: u32,
    /// How many instructions have been written.
    instructions: usize,
    /// How many calls there may be within each other that do not ask for stack.
    nesting: usize,
    /// For each stage the watches that moves from there on ask, or the keeper after them.
    watches_of: Vec<Vec<u32>>,
    /// For each watch the classes of pieces that are put on the way.
    classes_of: Vec<Vec<u32>>,
}

/// Compiles a game, unless it is told to stop before it is done.
///
/// # Errors
///
/// When this machine or something in the game cannot be compiled for, or when it was stopped.
pub(crate) fn compile(
    plan: &Plan,
    tables: &Tables,
    words: usize,
    purpose: CodePurpose,
    machine: Machine,
    stop: &AtomicBool,
) -> Result<Code, NotCompiled> {
    let segments = plan.segments();
    if segments.costs.greatest() > MAX_COST {
        return Err(NotCompiled::TooSlow { allowed: MAX_COST });
    }
    let stages = segments.stages.iter().map(|stage| stage.operations.len() + stage.exits.len());
    let surveys = segments.surveys.iter().map(|survey| survey.operations.len());
    if stages.chain(surveys).any(|operations| operations > MAX_OPERATIONS) {
        return Err(NotCompiled::TooLarge { allowed: MAX_INSTRUCTIONS });
    }
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [("opt_level", "speed"), ("enable_verifier", verify)] {
        flags.set(name, value).map_err(NotCompiled::machine)?;
    }
    let isa = machine.isa().map_err(NotCompiled::machine)?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(NotCompiled::machine)?;
    if isa.pointer_bits() != 64 {
        return Err(NotCompiled::machine(format!("{} bits", isa.pointer_bits())));
    }
    let mut builder = JITBuilder::with_isa(isa, cranelift_module::default_libcall_names());
    machine.prepare(&mut builder);
    let compiler = Compiler {
        plan,
        tables,
        words,
        module: JITModule::new(builder),
        function_of: BTreeMap::new(),
        queue: Vec::new(),
        shapes: Vec::new(),
        numbers: BTreeMap::new(),
        sizes: BTreeMap::new(),
        purpose,
        works: BTreeMap::new(),
        room: keeper::ROOM,
        instructions: 0,
        nesting: pattern_nesting(&plan.referee().automaton) + keeper::MAX_STAGES,
        watches_of: plan.segments().stages.iter().map(|stage| stage.watches.clone()).collect(),
        classes_of: plan.segments().watches.iter().map(|watch| watch.asked.clone()).collect(),
    };
    compiler.compile(stop)
}

impl Compiler<'_> {
    fn compile(mut self, stop: &AtomicBool) -> Result<Code, NotCompiled> {
        let functions = match self.functions(stop) {
            Ok(functions) => functions,
            Err(reason) => {
                // Whatever was compiled goes with it.
                drop(MachineCode::new(self.module));
                return Err(reason);
            }
        };
        let Functions { entries, execute, quick_execute, finish } = functions;
        let address = |function: Option<FuncId>| {
            function.map(|function| self.module.get_finalized_function(function))
        };
        Ok(Code {
            all: entries.iter().map(|&(all, ..)| address(all)).collect(),
            first: entries.iter().map(|&(_, first, _)| address(first)).collect(),
            quick_first: entries.iter().map(|&(.., quick)| address(quick)).collect(),
            quick_execute: address(quick_execute),
            finish: finish.into_iter().filter_map(|finish| address(Some(finish))).collect(),
            execute: self.module.get_finalized_function(execute),
            area_words: self.watch_area(self.plan.segments().watches.len()),
            size: self.sizes.values().sum(),
            module: self.module,
            shapes: self.shapes,
        })
    }

    /// Compiles all functions.
    fn functions(&mut self, stop: &AtomicBool) -> Result<Functions, NotCompiled> {
        if self.purpose == CodePurpose::Count && self.looks_ahead() {
            self.watch_what_the_keeper_asks();
        }
        let automaton = &self.plan.referee().automaton;
        let segments = self.plan.segments();
        let mut player_nodes = IdVec::<Node, bool>::filled(false, automaton.nodes.len());
        let mut keeper_nodes = IdVec::<Node, bool>::filled(false, automaton.nodes.len());
        keeper_nodes[automaton.start] = true;
        for (_, edge) in automaton.edges() {
            match edge.action {
                Action::Turn(_) => player_nodes[edge.target] = true,
                Action::Keeper => keeper_nodes[edge.target] = true,
                _ => {}
            }
        }
        let mut entries = Vec::new();
        for node in automaton.nodes.keys() {
            let stage = segments.stage_of[node];
            let all = stage.filter(|_| player_nodes[node]).map(|stage| {
                let entry = self.entry(stage);
                self.function(entry)
            });
            let first = stage
                .filter(|_| keeper_nodes[node])
                .map(|stage| self.function(FunctionKind::First(stage)));
            let plays = self.purpose == CodePurpose::Play;
            let quick = stage
                .filter(|_| keeper_nodes[node] && plays)
                .map(|stage| self.function(FunctionKind::QuickFirst(stage)));
            entries.push((all, first, quick));
        }
        let execute = self.function(match self.purpose {
            CodePurpose::Play => FunctionKind::Execute,
            CodePurpose::Count => FunctionKind::Visit,
        });
        let quick_execute =
            (self.purpose == CodePurpose::Play).then(|| self.function(FunctionKind::QuickExecute));
        let mut memory = FunctionBuilderContext::new();
        let mut context = self.module.make_context();
        self.define_all(&mut context, &mut memory, stop)?;
        // By now all shapes are known.
        let shapes = if self.purpose == CodePurpose::Play { self.shapes.len() } else { 0 };
        let finish: Vec<FuncId> =
            (0..shapes as u32).map(|shape| self.function(FunctionKind::Finish(shape))).collect();
        self.define_all(&mut context, &mut memory, stop)?;
        self.module.finalize_definitions().map_err(NotCompiled::machine)?;
        Ok(Functions { entries, execute, quick_execute, finish })
    }

    /// How the moves of a player are found that begin with a stage.
    fn entry(&self, stage: u32) -> FunctionKind {
        if !self.watches_of[stage as usize].is_empty() {
            return FunctionKind::Enter(stage);
        }
        let shape_count = |exit: &Exit| match &exit.continuation {
            Continuation::Finish(_) => Some(1),
            Continuation::Spread(spreads) => Some(spreads.len()),
            _ => None,
        };
        let exits = self.plan.segments().stages[stage as usize].exits.iter();
        match exits.map(shape_count).sum::<Option<usize>>() {
            Some(shapes)
                if self.purpose == CodePurpose::Play && shapes * self.words <= MAX_FLAT =>
            {
                FunctionKind::Flat(stage)
            }
            _ => FunctionKind::All(stage),
        }
    }

    /// Where the answers of a watch are among the areas, in words; those it gives on the way come behind. An answer is a
    /// word of only ones when the pattern succeeds, then a set for each class of pieces.
    fn watch_area(&self, watch: usize) -> usize {
        let segments = self.plan.segments();
        let before = segments.watches[..watch].iter();
        segments.surveys.len() * self.words
            + before.map(|w| 2 * self.answer_words(w)).sum::<usize>()
    }

    fn answer_words(&self, watch: &Watch) -> usize {
        1 + watch.classes as usize * self.words
    }

    /// The function for a use, to be compiled if it is not yet.
    fn function(&mut self, wanted: FunctionKind) -> FuncId {
        if let Some(&function) = self.function_of.get(&wanted) {
            return function;
        }
        let signature = self.signature(wanted);
        let function = self
            .module
            .declare_anonymous_function(&signature)
            .expect("nothing else is declared with another signature");
        self.function_of.insert(wanted, function);
        self.queue.push(wanted);
        function
    }

    /// All functions take the context and the state; what follows depends on the use. All values are words.
    fn signature(&self, wanted: FunctionKind) -> Signature {
        let parameters = match wanted {
            // The cursor, and where the next step goes.
            FunctionKind::Enter(_) | FunctionKind::All(_) | FunctionKind::Flat(_) => 4,
            // The cursor, or where the answer goes.
            FunctionKind::First(_)
            | FunctionKind::QuickFirst(_)
            | FunctionKind::Test(_)
            | FunctionKind::Watch(_)
            | FunctionKind::WatchSuccess(_) => 3,
            // The squares.
            FunctionKind::Leaves(_) | FunctionKind::Moves(_) => 2 + self.words,
            FunctionKind::Survey(_) | FunctionKind::Visit | FunctionKind::Keep => 2,
            // Where the next step goes, the shape, the squares; the state is not asked.
            FunctionKind::Record => 3 + self.words,
            // The square, and where the steps on the way begin and end.
            FunctionKind::Finish(_) => 5,
            // Where the steps begin and end.
            FunctionKind::Execute | FunctionKind::QuickExecute => 4,
        };
        let mut signature = self.module.make_signature();
        signature.params = vec![AbiParam::new(I64); parameters];
        signature.returns = vec![AbiParam::new(I64)];
        signature
    }

    /// Compiles the functions that are asked for, and those that they ask for.
    fn define_all(
        &mut self,
        context: &mut CodeContext,
        memory: &mut FunctionBuilderContext,
        stop: &AtomicBool,
    ) -> Result<(), NotCompiled> {
        while let Some(next) = self.queue.pop() {
            if stop.load(Ordering::Relaxed) {
                return Err(NotCompiled::Stopped);
            }
            self.define(next, context, memory)?;
        }
        Ok(())
    }

    fn define(
        &mut self,
        wanted: FunctionKind,
        context: &mut CodeContext,
        memory: &mut FunctionBuilderContext,
    ) -> Result<(), NotCompiled> {
        self.module.clear_context(context);
        context.func.signature = self.signature(wanted);
        let builder = FunctionBuilder::new(&mut context.func, memory);
        let config = self.module.target_config();
        Body::new(self, builder, wanted).write(wanted, config).ok_or(NotCompiled::Rules)?;
        let instructions = context.func.dfg.num_insts();
        self.instructions += instructions;
        for (count, allowed) in
            [(instructions, MAX_FUNCTION), (self.instructions, MAX_INSTRUCTIONS)]
        {
            if count > allowed {
                return Err(NotCompiled::TooLarge { allowed });
            }
        }
        let function = self.function_of[&wanted];
        self.module.define_function(function, context).map_err(NotCompiled::machine)?;
        let code = context.compiled_code();
        let frame = code.and_then(|code| code.buffer.frame_layout());
        let frame = frame.map_or(0, |frame| frame.frame_to_fp_offset as usize);
        if frame * self.nesting > MAX_STACK {
            return Err(NotCompiled::TooDeep { allowed: MAX_STACK });
        }
        let size = code.map_or(0, |code| code.code_buffer().len());
        self.sizes.insert(wanted, size);
        Ok(())
    }

    fn shape(&mut self, shape: Shape) -> u32 {
        *self.numbers.entry(shape).or_insert_with(|| {
            self.shapes.push(shape);
            self.shapes.len() as u32 - 1
        })
    }
}
