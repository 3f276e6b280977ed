//! Which instructions may the search use on this machine?
//!
//! The search is written once, as functions that are always inlined and generic over a level. A
//! level supplies moves and flips, and the functions that call themselves: each level compiles these
//! with the instructions that it stands for. A level is a value, and one of the faster levels can be
//! had only on a machine that has its instructions, so whoever holds one may use it.

use super::search::{self, Search};
use super::{glance, high, last, shallow};
use crate::Board;
use crate::bits::{self, Squares};
use crate::engine::Evaluation;
use crate::engine::mid::{self, Mid, Source};

/// The instructions that a search uses. The results are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Machine {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::Avx512),
}

impl Machine {
    /// The fastest that this machine has.
    pub fn detected() -> Machine {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(level) = x86::Avx512::detected() {
                return Machine::Avx512(level);
            }
            if let Some(level) = x86::Avx2::detected() {
                return Machine::Avx2(level);
            }
        }
        Machine::Portable(Portable)
    }
}

/// Runs an expression with the level of a machine.
macro_rules! at_level {
    ($machine:expr, $level:ident => $run:expr) => {
        match $machine {
            $crate::solve::level::Machine::Portable($level) => $run,
            #[cfg(target_arch = "x86_64")]
            $crate::solve::level::Machine::Avx2($level) => $run,
            #[cfg(target_arch = "x86_64")]
            $crate::solve::level::Machine::Avx512($level) => $run,
        }
    };
}
pub(crate) use at_level;

/// The choice of instructions.
pub(crate) trait Level: Copy {
    /// See [`bits::flips`].
    fn flips(self, square: u32, own: Squares, other: Squares) -> Squares;
    /// See [`bits::moves`].
    fn moves(self, own: Squares, other: Squares, empty: Squares) -> Squares;
    /// See [`last::two`].
    fn two(self, nodes: &mut u64, board: Board, squares: u32, alpha: i32) -> i32;
    /// See [`last::three`].
    fn three(self, nodes: &mut u64, board: Board, squares: u32, alpha: i32) -> i32;
    /// See [`last::four`].
    fn four(self, nodes: &mut u64, board: Board, alpha: i32) -> i32;
    /// See [`shallow::five`].
    fn five(self, nodes: &mut u64, board: Board, moves: Squares, alpha: i32) -> i32;
    /// See [`shallow::few`].
    fn few(self, nodes: &mut u64, board: Board, moves: Squares, alpha: i32) -> i32;
    /// See [`search::deep`].
    fn deep<E: Evaluation>(
        self,
        search: &mut Search<'_, E>,
        board: Board,
        moves: Squares,
        alpha: i32,
    ) -> i32;
    /// See [`high::high`].
    fn high<E: Evaluation>(
        self,
        search: &mut Search<'_, E>,
        board: Board,
        moves: Squares,
        state: &E::State,
        alpha: i32,
    ) -> i32;
    /// See [`glance::glance`].
    fn glance<E: Evaluation>(
        self,
        search: &mut Search<'_, E>,
        board: Board,
        state: &E::State,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32;
    /// See [`shallow::any`].
    #[inline(always)]
    fn end(self, nodes: &mut u64, board: Board, alpha: i32) -> i32 {
        shallow::any(self, nodes, board, alpha)
    }
    /// See [`mid::one_ply`].
    fn mid_one<E: Evaluation>(
        self,
        mid: &mut Mid<'_, E>,
        board: Board,
        source: Source<'_, E::State>,
        alpha: i32,
    ) -> i32;
    /// See [`mid::two_plies`].
    fn mid_two<E: Evaluation>(
        self,
        mid: &mut Mid<'_, E>,
        board: Board,
        source: Source<'_, E::State>,
        alpha: i32,
    ) -> i32;
    /// See [`mid::visit`].
    fn mid_visit<E: Evaluation>(
        self,
        mid: &mut Mid<'_, E>,
        board: Board,
        source: Source<'_, E::State>,
        depth: u32,
        alpha: i32,
    ) -> i32;
}

/// What every machine can do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Level for Portable {
    #[inline(always)]
    fn flips(self, square: u32, own: Squares, other: Squares) -> Squares {
        bits::flips(square, own, other)
    }

    #[inline(always)]
    fn moves(self, own: Squares, other: Squares, empty: Squares) -> Squares {
        bits::moves(own, other, empty)
    }

    fn two(self, nodes: &mut u64, board: Board, squares: u32, alpha: i32) -> i32 {
        last::two(self, nodes, board, squares, alpha)
    }

    fn three(self, nodes: &mut u64, board: Board, squares: u32, alpha: i32) -> i32 {
        last::three(self, nodes, board, squares, alpha)
    }

    fn four(self, nodes: &mut u64, board: Board, alpha: i32) -> i32 {
        last::four(self, nodes, board, alpha)
    }

    fn five(self, nodes: &mut u64, board: Board, moves: Squares, alpha: i32) -> i32 {
        shallow::five(self, nodes, board, moves, alpha)
    }

    fn few(self, nodes: &mut u64, board: Board, moves: Squares, alpha: i32) -> i32 {
        shallow::few(self, nodes, board, moves, alpha)
    }

    fn deep<E: Evaluation>(
        self,
        search: &mut Search<'_, E>,
        board: Board,
        moves: Squares,
        alpha: i32,
    ) -> i32 {
        search::deep(self, search, board, moves, alpha)
    }

    fn high<E: Evaluation>(
        self,
        search: &mut Search<'_, E>,
        board: Board,
        moves: Squares,
        state: &E::State,
        alpha: i32,
    ) -> i32 {
        high::high(self, search, board, moves, state, alpha)
    }

    fn glance<E: Evaluation>(
        self,
        search: &mut Search<'_, E>,
        board: Board,
        state: &E::State,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        glance::glance(self, search, board, state, depth, alpha, beta)
    }

    fn mid_one<E: Evaluation>(
        self,
        mid: &mut Mid<'_, E>,
        board: Board,
        source: Source<'_, E::State>,
        alpha: i32,
    ) -> i32 {
        mid::one_ply(self, mid, board, source, alpha)
    }

    fn mid_two<E: Evaluation>(
        self,
        mid: &mut Mid<'_, E>,
        board: Board,
        source: Source<'_, E::State>,
        alpha: i32,
    ) -> i32 {
        mid::two_plies(self, mid, board, source, alpha)
    }

    fn mid_visit<E: Evaluation>(
        self,
        mid: &mut Mid<'_, E>,
        board: Board,
        source: Source<'_, E::State>,
        depth: u32,
        alpha: i32,
    ) -> i32 {
        mid::visit(self, mid, board, source, depth, alpha)
    }
}

/// The levels of x86-64 machines.
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86 {
    use super::super::simd;
    use super::*;

    /// A level whose recursive functions are compiled for `$features`.
    macro_rules! level {
        ($(#[$doc:meta])* $name:ident, $features:literal, $flips:path) => {
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub(crate) struct $name(());

            impl Level for $name {
                #[inline(always)]
                fn flips(self, square: u32, own: Squares, other: Squares) -> Squares {
                    // SAFETY: the value exists, so the machine has the features of its level.
                    unsafe { $flips(square, own, other) }
                }

                #[inline(always)]
                fn moves(self, own: Squares, other: Squares, empty: Squares) -> Squares {
                    // SAFETY: as above.
                    unsafe { simd::moves_avx2(own, other) & empty }
                }

                #[inline(always)]
                fn two(self, nodes: &mut u64, board: Board, squares: u32, alpha: i32) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run(level: $name, n: &mut u64, b: Board, s: u32, a: i32) -> i32 {
                        last::two(level, n, b, s, a)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, nodes, board, squares, alpha) }
                }

                #[inline(always)]
                fn three(self, nodes: &mut u64, board: Board, squares: u32, alpha: i32) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run(level: $name, n: &mut u64, b: Board, s: u32, a: i32) -> i32 {
                        last::three(level, n, b, s, a)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, nodes, board, squares, alpha) }
                }

                #[inline(always)]
                fn four(self, nodes: &mut u64, board: Board, alpha: i32) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run(level: $name, n: &mut u64, b: Board, a: i32) -> i32 {
                        last::four(level, n, b, a)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, nodes, board, alpha) }
                }

                #[inline(always)]
                fn five(self, nodes: &mut u64, board: Board, moves: Squares, alpha: i32) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run(level: $name, n: &mut u64, b: Board, m: Squares, a: i32) -> i32 {
                        shallow::five(level, n, b, m, a)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, nodes, board, moves, alpha) }
                }

                #[inline(always)]
                fn few(self, nodes: &mut u64, board: Board, moves: Squares, alpha: i32) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run(level: $name, n: &mut u64, b: Board, m: Squares, a: i32) -> i32 {
                        shallow::few(level, n, b, m, a)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, nodes, board, moves, alpha) }
                }

                #[inline(always)]
                fn deep<E: Evaluation>(
                    self,
                    search: &mut Search<'_, E>,
                    board: Board,
        moves: Squares,
                    alpha: i32,
                ) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run<E: Evaluation>(
                        level: $name,
                        search: &mut Search<'_, E>,
                        board: Board,
        moves: Squares,
                        alpha: i32,
                    ) -> i32 {
                        search::deep(level, search, board, moves, alpha)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, search, board, moves, alpha) }
                }

                #[inline(always)]
                fn high<E: Evaluation>(
                    self,
                    search: &mut Search<'_, E>,
                    board: Board,
        moves: Squares,
                    state: &E::State,
                    alpha: i32,
                ) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run<E: Evaluation>(
                        level: $name,
                        search: &mut Search<'_, E>,
                        board: Board,
        moves: Squares,
                        state: &E::State,
                        alpha: i32,
                    ) -> i32 {
                        high::high(level, search, board, moves, state, alpha)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, search, board, moves, state, alpha) }
                }

                #[inline(always)]
                fn glance<E: Evaluation>(
                    self,
                    search: &mut Search<'_, E>,
                    board: Board,
                    state: &E::State,
                    depth: u32,
                    alpha: i32,
                    beta: i32,
                ) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run<E: Evaluation>(
                        level: $name,
                        search: &mut Search<'_, E>,
                        board: Board,
                        state: &E::State,
                        depth: u32,
                        alpha: i32,
                        beta: i32,
                    ) -> i32 {
                        glance::glance(level, search, board, state, depth, alpha, beta)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, search, board, state, depth, alpha, beta) }
                }

                #[inline(always)]
                fn mid_one<E: Evaluation>(
                    self,
                    mid: &mut Mid<'_, E>,
                    board: Board,
                    source: Source<'_, E::State>,
                    alpha: i32,
                ) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run<E: Evaluation>(
                        level: $name,
                        mid: &mut Mid<'_, E>,
                        board: Board,
                        source: Source<'_, E::State>,
                        alpha: i32,
                    ) -> i32 {
                        mid::one_ply(level, mid, board, source, alpha)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, mid, board, source, alpha) }
                }

                #[inline(always)]
                fn mid_two<E: Evaluation>(
                    self,
                    mid: &mut Mid<'_, E>,
                    board: Board,
                    source: Source<'_, E::State>,
                    alpha: i32,
                ) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run<E: Evaluation>(
                        level: $name,
                        mid: &mut Mid<'_, E>,
                        board: Board,
                        source: Source<'_, E::State>,
                        alpha: i32,
                    ) -> i32 {
                        mid::two_plies(level, mid, board, source, alpha)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, mid, board, source, alpha) }
                }

                #[inline(always)]
                fn mid_visit<E: Evaluation>(
                    self,
                    mid: &mut Mid<'_, E>,
                    board: Board,
                    source: Source<'_, E::State>,
                    depth: u32,
                    alpha: i32,
                ) -> i32 {
                    #[target_feature(enable = $features)]
                    fn run<E: Evaluation>(
                        level: $name,
                        mid: &mut Mid<'_, E>,
                        board: Board,
                        source: Source<'_, E::State>,
                        depth: u32,
                        alpha: i32,
                    ) -> i32 {
                        mid::visit(level, mid, board, source, depth, alpha)
                    }
                    // SAFETY: as above.
                    unsafe { run(self, mid, board, source, depth, alpha) }
                }
            }
        };
    }

    level!(
        /// 256 bits, and counting of bits.
        Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt", simd::flips_avx2
    );
    level!(
        /// 256 bits with masks and counting of leading zeros in each lane.
        Avx512, "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512cd,avx512vl", simd::flips_avx512
    );

    impl Avx2 {
        /// The level, on a machine that has it.
        pub fn detected() -> Option<Avx2> {
            (is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt"))
            .then_some(Avx2(()))
        }
    }

    impl Avx512 {
        /// The level, on a machine that has it.
        pub fn detected() -> Option<Avx512> {
            (Avx2::detected().is_some()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512vl"))
            .then_some(Avx512(()))
        }
    }
}
