//! The tactical features of a point for both players at once, as one factor each.
//!
//! The same facts as [`policy::tactics`], which defines them, in the order and with the shortcuts
//! that suit playouts: nearly all points have no chain with one or two liberties around, and then
//! the ring alone is enough. Where some are near, what the four directions contribute is read from
//! tables, with a 1 for those that contribute nothing: a table spares the branch.

use goban::{Board, Cell, Chain, Color, Directions, Point, Ring};
use policy::{Meaning, Model, Use};

use crate::compiled::within_reason;

/// Liberties beyond this do not matter to any feature.
const ENOUGH: u16 = 4;

/// Factors of the tactical features, the filter applied.
pub(crate) struct Tactic {
    /// Where nothing is near capture: by eyes of black and white, and the ring's neighbours beside.
    calm: Vec<[f32; 2]>,
    /// By a byte of a ring, a bit each for black and white: all beside are theirs or edge, and
    /// those across leave an eye.
    surrounded: [u8; 256],
    leaves_eye: [u8; 256],
    /// By stones (1, 2, 3 and more) and increase (-1, 0, 1, 2 and more).
    capture: [[f32; 4]; 3],
    /// By the liberties afterwards and the kinds of the own chains in two directions.
    extension: Vec<[f32; 256]>,
    /// By the kinds of the opponent's chains in two directions.
    atari: [f32; 256],
    rescue: [f32; 3],
    self_atari: [f32; 3],
}

/// The kind of a chain: its liberties (1, 2, 3 and more) in the lower byte and its stones (1, 2, 3
/// and more) in the upper one, so that four kinds fit into one number, each shifted by its direction.
/// 0 is no chain.
#[inline(always)]
pub(crate) fn kind(board: &Board, chain: Chain) -> u16 {
    pack(board.liberty_count(chain), board.length(chain))
}

#[inline(always)]
fn pack(liberties: usize, stones: usize) -> u16 {
    (liberties.min(3) | stones.min(3) << 8) as u16
}

/// The chains beside a point and their kinds: two bits a direction in each byte.
#[derive(Clone, Copy)]
pub(crate) struct Beside {
    chains: [Chain; 4],
    kinds: u16,
}

impl Beside {
    /// What is beside a point, by the kinds of all chains.
    #[inline(always)]
    pub(crate) fn new(board: &Board, p: Point, kinds: &[u16; 512]) -> Beside {
        let chains = board.chains_beside(p);
        let [a, b, c, d] = chains.map(|chain| kinds[chain.index()]);
        Beside { chains, kinds: a | b << 2 | c << 4 | d << 6 }
    }

    /// Whether a chain has one or two liberties: one of the two bits is set.
    #[inline(always)]
    pub(crate) fn is_close(self) -> bool {
        close(self.kinds)
    }

    /// Whether a chain has one liberty.
    #[inline(always)]
    pub(crate) fn is_in_atari(self) -> bool {
        !in_atari(self.kinds).is_empty()
    }
}

#[inline(always)]
fn close(kinds: u16) -> bool {
    (kinds ^ kinds >> 1) & 0x55 != 0
}

/// The places in tables of the kinds in the first two directions and in the others.
#[inline(always)]
fn halves(kinds: u16) -> (usize, usize) {
    let (first, second) = (kinds & 0x0f | kinds >> 4 & 0xf0, kinds >> 4 & 0x0f | kinds >> 8 & 0xf0);
    (first as usize, second as usize)
}

fn few(stones: usize) -> usize {
    stones.min(3) - 1
}

fn gain(after: usize, before: usize) -> usize {
    (after + 1).saturating_sub(before).min(3)
}

impl Tactic {
    /// The factors of a model for playouts.
    pub(crate) fn new(model: &Model) -> Tactic {
        let weight = |meaning: Meaning| {
            let feature = Use::Mc.number(meaning).expect("a feature of playouts");
            within_reason(model.feature_weight(feature).powf(model.filter))
        };
        let stones = [1, 2, 3];
        let increases = [-1, 0, 1, 2];
        let self_atari = stones.map(|n| weight(Meaning::SelfAtari(n)));
        let mut extension = [[[1.0; 4]; 4]; ENOUGH as usize + 1];
        let mut atari = [[1.0; 4]; 4];
        for n in stones {
            for liberties in [1, 2] {
                for (after, factors) in extension.iter_mut().enumerate() {
                    let increase = increases[gain(after, liberties)];
                    factors[liberties][n as usize] =
                        weight(Meaning::Extension(n, liberties as u8, increase, false));
                }
            }
            atari[2][n as usize] = weight(Meaning::Atari(n, false));
        }
        let two = |one: [[f32; 4]; 4]| {
            std::array::from_fn(|i| one[i & 3][i >> 4 & 3] * one[i >> 2 & 3][i >> 6])
        };
        let by_color = |byte: usize, is: &dyn Fn(Ring, Color) -> bool| {
            let bit = |color: Color| (is(Ring(byte as u16), color) as u8) << color.index();
            bit(Color::Black) | bit(Color::White)
        };
        let surrounded =
            std::array::from_fn(|byte| by_color(byte, &|ring, color| ring.is_surrounded_by(color)));
        // Beside are edges only: then those across decide.
        let leaves_eye = std::array::from_fn(|byte| {
            by_color(byte, &|ring, color| Ring(ring.0 << 8 | 0xff).is_eye_of(color))
        });
        let calm = |eyes: usize, ring: Ring, color: Color| {
            let alone = [0.0, self_atari[0], 1.0, 1.0, 1.0][ring.liberties() as usize];
            match eyes >> color.index() & 1 {
                1 => 0.0,
                _ if ring.has_neighbour(color) => 1.0,
                _ => alone,
            }
        };
        Tactic {
            calm: (0..1024)
                .map(|i| Color::BOTH.map(|color| calm(i >> 8, Ring(i as u16 & 255), color)))
                .collect(),
            surrounded,
            leaves_eye,
            capture: stones.map(|n| increases.map(|i| weight(Meaning::Capture(n, i)))),
            extension: extension.into_iter().map(two).collect(),
            atari: two(atari),
            rescue: stones.map(|n| weight(Meaning::Rescue(n))),
            self_atari,
        }
    }

    /// Whether all beside a point are of one colour or edge.
    #[inline(always)]
    pub(crate) fn is_surrounded(&self, ring: Ring) -> bool {
        self.surrounded[(ring.0 & 255) as usize] != 0
    }

    /// Whose eye a point is, a bit for each colour.
    #[inline(always)]
    fn eyes(&self, ring: Ring) -> usize {
        let (beside, across) = ((ring.0 & 255) as usize, (ring.0 >> 8) as usize);
        (self.surrounded[beside] & self.leaves_eye[across]) as usize
    }

    /// The factors of a point for black and white if every chain around has three liberties or
    /// more: a friend means life, and without one the stone has the liberties it finds. 0 where
    /// the move is suicide or fills an own eye. Ko is not looked at.
    #[inline(always)]
    pub(crate) fn calm(&self, ring: Ring) -> [f32; 2] {
        self.calm[(self.eyes(ring) << 8 | (ring.0 & 255) as usize) & 1023]
    }

    /// The same if some chain around has one or two liberties.
    #[inline]
    pub(crate) fn close(&self, board: &Board, p: Point, beside: Beside) -> [f32; 2] {
        let ring = board.ring(p);
        let eyes = self.eyes(ring);
        // A chain that is there twice counts once.
        let [a, b, c, d] = beside.chains;
        let again = ((b == a) as u16) << 2
            | (((c == a) | (c == b)) as u16) << 4
            | (((d == a) | (d == b) | (d == c)) as u16) << 6;
        let stones = Color::BOTH.map(|color| ring.stones(color) & !again);
        let kinds = stones.map(|mask| beside.kinds & mask.wrapping_mul(0x303));
        // The chain after the move matters only if a chain with few liberties joins it or there is
        // little room.
        let cramped = ring.liberties() < 2;
        let after = [0, 1].map(|c| {
            if cramped | close(kinds[c]) {
                let own = Directions::from_bits(stones[c]);
                let taken = in_atari(kinds[1 - c]);
                board.liberties_after(ENOUGH, p, &beside.chains, own, taken)
            } else {
                ENOUGH
            }
        });
        Color::BOTH.map(|color| {
            let (mine, theirs) = (kinds[color.index()], kinds[(!color).index()]);
            let liberties = after[color.index()];
            let extension = &self.extension[liberties.min(ENOUGH) as usize];
            let ((a, b), (c, d)) = (halves(mine), halves(theirs));
            let mut factor = (extension[a] * extension[b]) * (self.atari[c] * self.atari[d]);
            if liberties == 1 {
                let own = Directions::from_bits(stones[color.index()]);
                let joined: usize = own.iter().map(|d| board.length(beside.chains[d])).sum();
                factor *= self.self_atari[few(joined + 1)];
            }
            let captured = in_atari(theirs);
            if !captured.is_empty() {
                let stones: usize = captured.iter().map(|d| board.length(beside.chains[d])).sum();
                let running = after[(!color).index()] as usize;
                factor *= self.capture[few(stones)][gain(running, 1)];
                factor *= self.rescues(board, color, captured, &beside.chains);
            }
            // Suicide, or an own eye.
            let forbidden = (liberties == 0) | (eyes >> color.index() & 1 != 0);
            if forbidden { 0.0 } else { factor.max(f32::MIN_POSITIVE) }
        })
    }

    /// The product over the own chains in atari that touch a captured chain.
    #[inline]
    fn rescues(
        &self,
        board: &Board,
        color: Color,
        captured: Directions,
        chains: &[Chain; 4],
    ) -> f32 {
        if captured.iter().any(|d| board.touches_atari(chains[d])) {
            self.count_rescues(board, color, captured.iter().map(|d| chains[d]))
        } else {
            1.0
        }
    }

    #[cold]
    fn count_rescues(
        &self,
        board: &Board,
        color: Color,
        captured: impl Iterator<Item = Chain>,
    ) -> f32 {
        let mut seen = [None; 16];
        let mut count = 0;
        let mut factor = 1.0;
        for enemy in captured {
            for stone in board.chain_stones(enemy) {
                for q in board.neighbours(stone).filter(|&q| board.cell(q) == Cell::from(color)) {
                    let friend = board.chain(q);
                    let in_atari = friend.is_some_and(|f| board.liberty_count(f) == 1);
                    if in_atari && count < seen.len() && !seen[..count].contains(&friend) {
                        seen[count] = friend;
                        count += 1;
                        factor *= self.rescue[few(board.length(friend.expect("a chain")))];
                    }
                }
            }
        }
        factor
    }
}

/// The directions of chains with one liberty.
#[inline(always)]
fn in_atari(kinds: u16) -> Directions {
    Directions::from_bits(kinds & !(kinds >> 1) & 0x55)
}
