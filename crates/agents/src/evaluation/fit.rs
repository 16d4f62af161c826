//! Finds weights from which results can be told best: logistic regression by gradient descent.

use std::sync::OnceLock;
use std::time::Duration;

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use regulus_automaton::{Id as _, Piece};
use regulus_engine::{Generator, MoveList, Rules as _, State, Step, generator};
use regulus_game::{Error, Game, Match};

use super::features::{Placed, Signed, TERMS};
use super::samples::{Census, Lesson, Sample, Samples, positions, random_games, results};
use super::symmetry::symmetries;
use super::territory::NUMBERS;
use super::{Evaluation, Features, Mobility, SCALE, Weights};
use crate::alphabeta::{Halt, PositionTable, Searcher, WON, expectation};
use crate::budget::{Budget, Clock, Stop};

/// How often all positions are gone through.
const ROUNDS: u32 = 5;

/// How strongly weights are drawn to 0, for a piece, for its row and column, and for its square.
const DECAY: [f32; TERMS] = [0.000_3, 0.003, 0.003, 0.006];

/// The same for lines.
const LINE_DECAY: f32 = 0.003;

/// The weights of what a position is worth to one player, by their numbers in the features.
#[derive(Clone, Debug)]
struct Model(Vec<f32>);

impl Model {
    fn new(features: &Features) -> Model {
        Model(vec![0.0; features.weights])
    }

    fn weight(&self, signed: Signed) -> f32 {
        signed.of(self.0[signed.number as usize])
    }

    fn placed(&self, placed: &Placed) -> f32 {
        placed.signed(placed.numbers.iter().map(|&number| self.0[number as usize]).sum())
    }

    fn value(&self, features: &Features, sample: &Sample<'_>, means: &[[f32; 2]]) -> f32 {
        let mut sum = self.weight(features.turns[sample.mover]);
        for (row, &piece) in features.placed.chunks_exact(features.pieces).zip(sample.board) {
            let placed = &row[usize::from(piece)];
            if !placed.is_nothing() {
                sum += self.placed(placed);
            }
        }
        let lines = &self.0[features.first_line..];
        for line in &features.lines.lines {
            sum += line.signed(lines[line.weight(sample.board, features.pieces)]);
        }
        for (variable, value) in features.variables.iter().zip(sample.variables) {
            sum += self.weight(variable.weight) * value;
        }
        for (weight, above) in features.mobility[sample.mover].iter().zip(above(sample, means)) {
            sum += self.weight(*weight) * above;
        }
        if features.territory.is_some() {
            let weights = &self.0[features.first_territory..];
            sum +=
                weights.iter().zip(sample.territory).map(|(one, other)| one * other).sum::<f32>();
        }
        sum
    }

    /// Moves a weight against an error.
    fn move_weight(&mut self, signed: Signed, step: f32, decay: f32) {
        let weight = &mut self.0[signed.number as usize];
        *weight -= signed.of(step) + decay * *weight;
    }

    /// Moves the weights towards those that tell the target of a sample.
    fn learn(
        &mut self,
        features: &Features,
        sample: &Sample<'_>,
        means: &[[f32; 2]],
        target: f32,
        rate: f32,
        uses_mobility: bool,
    ) {
        let value = self.value(features, sample, means);
        let step = rate * (1.0 / (1.0 + (-value).exp()) - target);
        for (row, &piece) in features.placed.chunks_exact(features.pieces).zip(sample.board) {
            let placed = &row[usize::from(piece)];
            if placed.is_nothing() {
                continue;
            }
            let step = placed.signed(step);
            for (&number, decay) in placed.numbers.iter().zip(DECAY) {
                let weight = &mut self.0[number as usize];
                *weight -= step + rate * decay * *weight;
            }
        }
        let lines = &mut self.0[features.first_line..];
        for line in &features.lines.lines {
            let weight = &mut lines[line.weight(sample.board, features.pieces)];
            *weight -= line.signed(step) + rate * LINE_DECAY * *weight;
        }
        self.move_weight(features.turns[sample.mover], step, 0.0);
        for (variable, value) in features.variables.iter().zip(sample.variables) {
            self.move_weight(variable.weight, step * value, rate * 0.001);
        }
        if features.territory.is_some() {
            let weights = &mut self.0[features.first_territory..];
            for (weight, number) in weights.iter_mut().zip(sample.territory) {
                *weight -= step * number + rate * 0.001 * *weight;
            }
        }
        if uses_mobility {
            for (weight, above) in features.mobility[sample.mover].iter().zip(above(sample, means))
            {
                self.move_weight(*weight, step * above, rate * 0.001);
            }
        }
    }
}

/// By how much mobility is above its mean.
fn above(sample: &Sample<'_>, means: &[[f32; 2]]) -> [f32; 2] {
    let [now, before] = means[sample.mover];
    [sample.mobility[0] - now, sample.mobility[1] - before]
}

/// What a player got, as a target from 0 to 1.
fn target(sample: &Sample<'_>, model: usize) -> f32 {
    match sample.results {
        [first, second] => 0.5 + (first - second) / 2.0,
        results => results[model],
    }
}

/// The mean mobilities by player to move.
fn means(features: &Features, samples: &Samples) -> Vec<[f32; 2]> {
    let mut sums = vec![([0.0f64; 2], 0u32); features.players];
    for index in 0..samples.len() {
        let sample = samples.get(index);
        let (sum, count) = &mut sums[sample.mover];
        for (sum, mobility) in sum.iter_mut().zip(sample.mobility) {
            *sum += f64::from(mobility);
        }
        *count += 1;
    }
    let mean =
        |(sum, count): ([f64; 2], u32)| sum.map(|sum| (sum / f64::from(count.max(1))) as f32);
    sums.into_iter().map(mean).collect()
}

/// One position in this many is not learnt from, but used to judge: the last ones, since positions of one game tell about each other.
const KEPT: usize = 10;

/// Fits one model; returns it with its mean error on the positions that were kept.
fn fit_model(
    features: &Features,
    samples: &Samples,
    number: usize,
    uses_mobility: bool,
    seed: u64,
    clock: &Clock,
) -> (Model, f64) {
    let means = means(features, samples);
    let mut model = Model::new(features);
    let learnt = samples.len() - samples.len() / KEPT;
    let mut order: Vec<usize> = (0..learnt).collect();
    let mut random = generator(seed);
    let active = active(features, samples);
    for round in 0..ROUNDS {
        // Boards can be so large that a round takes long.
        if round > 0 && clock.is_late() {
            break;
        }
        order.shuffle(&mut random);
        let rate = 1.5 / active as f32 / (1.0 + round as f32);
        for &index in &order {
            let sample = samples.get(index);
            let target = target(&sample, number);
            model.learn(features, &sample, &means, target, rate, uses_mobility);
        }
    }
    let (mut loss, mut count) = (0.0, 0u32);
    for index in learnt..samples.len() {
        let sample = samples.get(index);
        let value = f64::from(model.value(features, &sample, &means));
        let goal = f64::from(target(&sample, number));
        let chance = (1.0 / (1.0 + (-value).exp())).clamp(1e-6, 1.0 - 1e-6);
        loss -= goal * chance.ln() + (1.0 - goal) * (1.0 - chance).ln();
        count += 1;
    }
    (model, loss / f64::from(count.max(1)))
}

/// Fits all models; returns them with the mean of their errors.
fn fit_models(
    features: &Features,
    samples: &Samples,
    uses_mobility: bool,
    seed: u64,
    clock: &Clock,
) -> (Vec<Model>, f64) {
    let numbers = 0..features.model_count();
    let fit = |number| fit_model(features, samples, number, uses_mobility, seed, clock);
    let fits = numbers.map(fit);
    let (models, losses): (Vec<Model>, Vec<f64>) = fits.unzip();
    let mean = losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    (models, mean)
}

/// About how many weights count in a position.
fn active(features: &Features, samples: &Samples) -> usize {
    let tried = samples.len().min(200);
    let counts = (0..tried).map(|index| {
        let board = samples.get(index * samples.len() / tried).board;
        let rows = features.placed.chunks_exact(features.pieces);
        rows.zip(board).filter(|(row, piece)| !row[usize::from(**piece)].is_nothing()).count()
    });
    counts.max().unwrap_or(1).max(4) * TERMS + features.lines.lines.len()
}

impl Weights {
    fn new(features: &Features, frequencies: &[u32], means: &[[f32; 2]], model: &Model) -> Weights {
        let scaled = |value: f32| (f64::from(value) * SCALE).round().clamp(-1e6, 1e6) as i32;
        let placed: Vec<i32> =
            features.placed.iter().map(|placed| scaled(model.placed(placed))).collect();
        let mobility: Vec<[f32; 2]> =
            features.mobility.iter().map(|pair| pair.map(|each| model.weight(each))).collect();
        // Mobility was taken from its mean on; the rest goes to the turn.
        let turn = features.turns.iter().zip(mobility.iter().zip(means));
        let turn = turn.map(|(&turn, (weights, means))| {
            scaled(model.weight(turn) - weights[0] * means[0] - weights[1] * means[1])
        });
        // A piece is worth what it is worth on the squares where it stands.
        let mut sums = vec![(0i64, 0i64); features.pieces];
        for (index, (&weight, &count)) in placed.iter().zip(frequencies).enumerate() {
            let (sum, all) = &mut sums[index % features.pieces];
            *sum += i64::from(weight) * i64::from(count);
            *all += i64::from(count);
        }
        let variables = features.variables.iter().map(|variable| {
            let weight = model.weight(variable.weight) * SCALE as f32 / variable.bound as f32;
            (*variable, weight)
        });
        let lines = model.0[features.first_line..].iter();
        let territory = model.0[features.first_territory..][..NUMBERS].iter();
        Weights {
            placed,
            lines: lines.map(|&weight| scaled(weight)).collect(),
            territory: territory.map(|&weight| scaled(weight)).collect(),
            material: sums.iter().map(|&(sum, count)| (sum / count.max(1)) as i32).collect(),
            turn: turn.collect(),
            mobility: mobility.iter().map(|pair| pair.map(scaled)).collect(),
            variables: variables.collect(),
        }
    }
}

/// How much work a fit may be, in legal moves that are looked at. It is not measured in time, so that the same game always gets the
/// same weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// For random games.
    random: u64,
    /// For games that are played with a short search.
    searched: u64,
}

impl Effort {
    /// `factor` times a second or two; 0 for as little as possible.
    pub(crate) fn new(factor: u32) -> Effort {
        let random = if factor == 0 { 100_000 } else { 4_000_000 };
        Effort { random, searched: u64::from(factor) * 15_000_000 }
    }
}

/// How much work there is at least for each second that a fit takes. If the machine is slower or busier than that, the fit ends with
/// what it has, and is not kept.
const LEAST_SPEED: u64 = 500_000;

static LONGEST: OnceLock<Duration> = OnceLock::new();

/// Learning a game takes no longer than this from now on, for programs that are given games of unknown authors. What was not
/// learnt in time is not kept on disk. Only the first call counts.
///
/// # Examples
///
/// ```
/// regulus_agents::limit_learning(std::time::Duration::from_secs(20));
/// ```
pub fn limit_learning(longest: Duration) {
    LONGEST.get_or_init(|| longest);
}

fn longest_learning() -> Duration {
    LONGEST.get().copied().unwrap_or(Duration::MAX)
}

/// An evaluation with the features that it is made of.
#[derive(Clone, Debug)]
pub(crate) struct Fitted {
    pub(crate) features: Features,
    pub(crate) evaluation: Evaluation,
    /// Whether all the work was done, so that it comes out the same each time.
    pub(crate) is_complete: bool,
}

/// How many positions symmetries are tried on.
const POSITIONS: usize = 16;

/// How many random games are played.
const RANDOM_GAMES: u64 = 4_000;

/// Mobility counts if the error without it is larger than this part of the error with it.
const WORTH_COUNTING: f64 = 0.985;

/// Lines count if the error with them is at most this part of the error without them. They are learnt better later, from games that
/// are not random.
const WORTH_OF_LINES: f64 = 1.02;

/// Who reaches which squares first counts if the error with it is at most this part of the error without it.
const WORTH_OF_TERRITORY: f64 = 0.96;

/// The features of a game, tied by its symmetries.
pub(super) fn features(play: &Match, seed: u64, clock: &Clock) -> Result<Features, Error> {
    let positions = positions(play, seed, POSITIONS, clock)?;
    let symmetries = symmetries(play.game(), &positions, clock);
    Ok(Features::new(play.game(), &symmetries))
}

impl Fitted {
    /// Fits an evaluation to a game, which begins as a play does.
    pub(crate) fn new(play: &Match, effort: Effort, seed: u64) -> Result<Fitted, Error> {
        let most = 4 + (effort.random + effort.searched) / LEAST_SPEED;
        let most = Duration::from_secs(most).min(longest_learning());
        let clock = Clock::start(Budget::time(most), Stop::new());
        let features = features(play, seed, &clock)?;
        let mut samples = Samples::new(&features);
        let lesson = Lesson { seed, games: RANDOM_GAMES, effort: effort.random, per_game: 8.0 };
        let census = random_games(play, &features, lesson, &clock, &mut samples)?;
        // Where pieces are taken, room is not what counts.
        let territory = features.territory.clone();
        let features = features.with_territory(None);
        // Lines have many weights; where games are too few to learn them, the others are better off alone.
        let bare = features.without_lines();
        let (with_lines, loss_with_lines) = fit_models(&features, &samples, false, seed, &clock);
        let (without, loss_without) = fit_models(&bare, &samples, false, seed, &clock);
        let keeps_lines = loss_with_lines <= WORTH_OF_LINES * loss_without;
        let (features, mut models, loss) = match keeps_lines {
            true => (features, with_lines, loss_with_lines),
            false => (bare, without, loss_without),
        };
        let (mut features, mut loss) = (features, loss);
        if census.captures == 0 && territory.is_some() {
            let wider = features.clone().with_territory(territory);
            let (with, loss_with) = fit_models(&wider, &samples, false, seed, &clock);
            if loss_with < WORTH_OF_TERRITORY * loss {
                (features, models, loss) = (wider, with, loss_with);
            }
        }
        let (with_mobility, loss_with_mobility) =
            fit_models(&features, &samples, true, seed, &clock);
        let uses_mobility = loss_with_mobility < WORTH_COUNTING * loss;
        if uses_mobility {
            models = with_mobility;
        }
        let mut must_take = true;
        if census.captures > 0 {
            let found =
                look_around(play.game(), &features, &positions(play, seed ^ 1, 100, &clock)?);
            let worth;
            (worth, must_take) = (found.mobilities, found.must_take);
            for (number, model) in models.iter_mut().enumerate() {
                add_prior(model, &features, &samples, &worth, number);
            }
        }
        let mut trainer = Trainer {
            play,
            features: &features,
            census,
            must_take,
            uses_mobility,
            means: means(&features, &samples),
            frequencies: frequencies(&features, &samples),
            models,
            active: active(&features, &samples),
            random: generator(seed ^ 2),
        };
        let evaluation = trainer.train(effort.searched, &clock)?;
        Ok(Fitted { features, evaluation, is_complete: !clock.is_late() })
    }
}

/// What the moves of some positions tell.
struct Overview {
    /// How many moves each piece has on average where it stands.
    mobilities: Vec<f32>,
    /// Whether there is no position in which a player can take and can also do something else.
    must_take: bool,
}

fn look_around(game: &Game, features: &Features, positions: &[State]) -> Overview {
    let blank = Evaluation::blank(features);
    let mut must_take = true;
    let rules = game.rules();
    let (mut scratch, mut list) = (rules.scratch(), MoveList::new());
    let mut moves = vec![0.0f32; features.pieces];
    let mut stood = vec![0.0f32; features.pieces];
    for state in positions {
        let Some(player) = rules.player(state) else { continue };
        if !matches!(rules.moves_up_to(state, &mut scratch, 2_000, &mut list), Ok(true)) {
            continue;
        }
        for (piece, owner) in features.owners.iter().enumerate() {
            if *owner == Some(player) {
                stood[piece] += state.count(rules.layout(), Piece::from_index(piece)) as f32;
            }
        }
        let takes = |steps: &&[Step]| blank.gain(features, state, player, steps).takes;
        let taking = list.iter().filter(takes).count();
        must_take &= taking == 0 || taking == list.len();
        for steps in list.iter() {
            // The piece that moves is the first own one that goes from its square.
            let moved = steps.iter().find_map(|step| {
                features.put(step.modifier.index())?;
                let piece = state.piece(step.square).index();
                (features.owners[piece] == Some(player)).then_some(piece)
            });
            if let Some(piece) = moved {
                moves[piece] += 1.0;
            }
        }
    }
    let mean = |(moves, stood): (&f32, &f32)| moves / stood.max(1.0);
    Overview { mobilities: moves.iter().zip(&stood).map(mean).collect(), must_take }
}

/// What a piece with an average number of moves is worth at first, on the logistic scale.
const PRIOR: f32 = 0.3;

/// Adds to the weights of pieces that those with many moves are worth more, or less if having them goes with losing.
fn add_prior(
    model: &mut Model,
    features: &Features,
    samples: &Samples,
    mobilities: &[f32],
    number: usize,
) {
    let owned = features.owners.iter().zip(mobilities).filter(|(owner, _)| owner.is_some());
    let (sum, count) = owned.fold((0.0, 0), |(sum, count), (_, moves)| (sum + moves, count + 1));
    let mean = (sum / count.max(1) as f32).max(0.01);
    // Even a piece that cannot move is of some use.
    let worth = |piece: usize| match features.owners[piece] {
        Some(owner) => {
            let worth = PRIOR * (0.2 + 0.8 * mobilities[piece] / mean);
            if owner.index() == number { worth } else { -worth }
        }
        None => 0.0,
    };
    let (mut covariance, mut variance) = (0.0f64, 0.0f64);
    for index in 0..samples.len() {
        let sample = samples.get(index);
        let sum: f32 = sample.board.iter().map(|&piece| worth(usize::from(piece))).sum();
        covariance += f64::from(sum) * f64::from(target(&sample, number) - 0.5);
        variance += f64::from(sum) * f64::from(sum);
    }
    let slope = covariance / variance.max(1e-9);
    let error = 0.5 / (variance.max(1e-9) / 8.0).sqrt();
    let sign = if slope < -4.0 * error { -1.0 } else { 1.0 };
    let mut is_done = vec![false; model.0.len()];
    for (index, placed) in features.placed.iter().enumerate() {
        let first = placed.numbers[0] as usize;
        if !placed.is_nothing() && !is_done[first] {
            is_done[first] = true;
            model.0[first] += placed.signed(sign * worth(index % features.pieces));
        }
    }
}

/// How often each piece stands on each square, at `square * pieces + piece`.
fn frequencies(features: &Features, samples: &Samples) -> Vec<u32> {
    let mut counts = vec![0; features.squares * features.pieces];
    for index in 0..samples.len() {
        for (square, &piece) in samples.get(index).board.iter().enumerate() {
            counts[square * features.pieces + usize::from(piece)] += 1;
        }
    }
    counts
}

/// Plays games against itself with a short search, and learns from what the search finds.
struct Trainer<'a> {
    play: &'a Match,
    features: &'a Features,
    census: Census,
    must_take: bool,
    uses_mobility: bool,
    means: Vec<[f32; 2]>,
    frequencies: Vec<u32>,
    models: Vec<Model>,
    /// About how many weights count in a position.
    active: usize,
    random: Generator,
}

/// How often a game goes on with a random move.
const STRAY: f64 = 0.1;

/// How much of what a position is worth comes from the end of the game, and how much from the search at the next position.
const TRACE: f32 = 0.8;

/// How often each position is learnt from, on average.
const REPEATS: usize = 8;

/// After how many positions the steps of learning are half as long.
const SETTLING: f32 = 20_000.0;

/// How many moves a game has at most.
const LONGEST_GAME: u64 = 400;

impl Trainer<'_> {
    fn train(&mut self, effort: u64, clock: &Clock) -> Result<Evaluation, Error> {
        let mut evaluation = self.evaluation();
        let mut samples = Samples::new(self.features);
        let mut spent = 0;
        while spent < effort && !clock.is_late() {
            let before = samples.len();
            spent += 1 + self.play_game(&evaluation, clock, &mut samples)?;
            let new = samples.len() - before;
            let rate = 1.0 / self.active as f32 / (1.0 + samples.count() as f32 / SETTLING);
            // The new positions once, and others again.
            for number in 0..new * REPEATS {
                let index = if number < new {
                    before + number
                } else {
                    self.random.random_range(samples.len() / 2..samples.len())
                };
                self.learn(&samples.get(index), rate);
            }
            if samples.is_large() {
                samples.forget_half();
            }
            evaluation = self.evaluation();
        }
        Ok(evaluation)
    }

    /// Moves the weights towards what a position was worth.
    fn learn(&mut self, sample: &Sample<'_>, rate: f32) {
        let Trainer { features, means, models, uses_mobility, .. } = self;
        for (number, model) in models.iter_mut().enumerate() {
            let target = target(sample, number);
            model.learn(features, sample, means, target, rate, *uses_mobility);
        }
    }

    /// Plays a game and notes its positions with what the search found; returns how much work it was.
    fn play_game(
        &mut self,
        evaluation: &Evaluation,
        clock: &Clock,
        samples: &mut Samples,
    ) -> Result<u64, Error> {
        let Trainer { play, features, random, .. } = self;
        let game = play.game();
        let rules = game.rules();
        let mut scratch = rules.scratch();
        let table = PositionTable::new(1 << 12);
        let mut searcher = Searcher::new(play, features, evaluation, &table, clock);
        let (mut state, mut history) = (play.state().clone(), play.history().clone());
        let mut mobility = Mobility::default();
        let opening = random.random_range(0..8);
        // What the first player can expect at each position that was noted.
        let mut expectations: Vec<f32> = Vec::new();
        for made in 0..LONGEST_GAME {
            let Some(player) = rules.player(&state) else { break };
            searcher.restart(&state, &history);
            let mut moves = match searcher.root_moves() {
                Ok(moves) => moves,
                Err(Halt::Over) => break,
                Err(Halt::Fault(error)) => return Err(error),
            };
            if moves.is_empty() {
                break;
            }
            mobility = Mobility { now: moves.len() as u32, before: mobility.now };
            let chosen = if made < opening || random.random_bool(STRAY) {
                random.random_range(0..moves.len())
            } else {
                match searcher.search_root(&mut moves, 1, (-WON, WON)) {
                    Ok(score) => {
                        samples.add(features, rules.layout(), &state, mobility);
                        let own = expectation(score) as f32;
                        expectations.push(if player.index() == 0 { own } else { 1.0 - own });
                    }
                    Err(Halt::Over) => break,
                    Err(Halt::Fault(error)) => return Err(error),
                }
                0
            };
            let steps = &moves[chosen].steps;
            let applied = rules.apply(&mut state, &mut history, steps, &mut scratch);
            applied.map_err(|fault| game.blame(&fault))?;
        }
        let is_over = rules.is_over(&state, &mut scratch).map_err(|fault| game.blame(&fault))?;
        let effort = searcher.effort();
        if clock.is_late() && !is_over {
            samples.give_up();
            return Ok(effort);
        }
        let results = results(game, &state);
        if features.players != 2 {
            if is_over {
                samples.end(&results);
            } else {
                samples.give_up();
            }
            return Ok(effort);
        }
        // Backwards: each position is worth what the next one is worth.
        let mut worth = if is_over { 0.5 + (results[0] - results[1]) / 2.0 } else { 0.5 };
        let mut targets = vec![0.0; expectations.len()];
        for (target, expectation) in targets.iter_mut().zip(&expectations).rev() {
            // What the search finds belongs to the position itself.
            worth = TRACE * worth + (1.0 - TRACE) * expectation;
            *target = worth;
        }
        for worth in targets {
            samples.end_one(&[worth, 1.0 - worth]);
        }
        Ok(effort)
    }

    /// The evaluation with the present weights.
    fn evaluation(&self) -> Evaluation {
        let Trainer { features, census, frequencies, means, .. } = self;
        let mut evaluation = Evaluation::blank(features);
        evaluation.uses_mobility = self.uses_mobility;
        evaluation.must_take = self.must_take;
        let weights = self.models.iter();
        evaluation.weights =
            weights.map(|model| Weights::new(features, frequencies, means, model)).collect();
        let share = |count: u64| count as f64 / census.moves.max(1) as f64;
        evaluation.has_captures = census.captures > 0;
        evaluation.follows_captures = census.captures > 0 && share(census.captures) < 0.4;
        evaluation.follows_promotions = census.promotions > 0 && share(census.promotions) < 0.2;
        let owned = features.owners.iter().enumerate();
        let mut worth: Vec<i32> = owned
            .filter_map(|(piece, owner)| owner.map(|owner| evaluation.material(owner, piece).abs()))
            .filter(|&worth| worth > 0)
            .collect();
        worth.sort_unstable();
        evaluation.unit = worth.get(worth.len() / 2).copied().unwrap_or(100).max(20);
        evaluation
    }
}
