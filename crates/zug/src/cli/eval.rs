//! The words of `zug eval`.

use clap::Args;

#[derive(Args)]
#[command(
    after_help = "Values are for the side to move, without search, in the unit of the model: discs (the expected final difference), log-odds (the logarithm of the odds to win) or centipawns (hundredths of a pawn).
Models of chess also tell the type of the position (as the thesis numbers it), which columns of weights share it, and every factor that is not balanced: its count (White's minus Black's), its weight as learned, its weight as played with, their product and what that adds for White. In play weights are rounded to sixteenths of a hundredth of a pawn, and columns that share a position count by their parts of 24; so weights as played and products are whole numbers, 384 to the hundredth of a pawn. The sum of all products divided by 384, its fraction dropped, is the value for White, exactly. The end of a game is told in words.
A file has one position a line (chess: FEN or EPD); in OBF files the values of the moves follow, the best of which is taken as the true value, and the errors are told. A file may be compressed (.obf.zst). Standard input is '-'.
A file of labelled examples (.zug) is not printed but summed up: the errors by disc count, how often the right winner is seen, and the discordance (among pairs that the model puts in an order, the share that is in truth the other way round; 0 is perfect). --fold keeps to games that a model did not learn from, if it held out the same fold; positions that games of several folds share are then left out.

With --json, for one position: an object with game, model, unit, position, to_move, discs (the stage), value, win_probability (null if the model does not tell it), exact (null if not known), over, and moves (objects with move and value, best first). For chess phase (0 to 24) stands for discs, and there are type (text_number, code, words), scheme, shares (objects with column, name, parts, of), factors (objects with factor, name, count, weight as learned, played, product = count times played, adds = product / 384, the largest first), parts_per_hundredth (384), product_for_white (the sum of the products), sum_for_white (that by 384; value is it without its fraction, for the side to move) and outcome (in words, null unless the game has ended: value is then 0, or -100000 for the side that is mated, and a move that mates is worth 100000); of the hand-made evaluation only type and outcome.
For a file: an object with game, model, unit, positions, seconds, positions_per_second, threads, errors (null unless the file has true values; else positions, mean_absolute, bias, root_mean_square, all null for log-odds, and right_winner), by_stage (the same for each disc count, with stage), and values (objects with value and exact, one for each position) unless --summary is given.
For a file of examples: the same without values, with fold and exact as asked for, and in errors and by_stage also discordance (in errors the mean over the examples).

Examples:
  zug eval othello start --json
  zug eval othello '-----------------------------OX------XO------------------------- X' --model model.zug
  zug eval othello hard-20.obf --model model.zug --json
  zug eval othello positions.txt --summary
  zug eval chess 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3' --model model.zug --json
  zug eval othello examples.zug --fold 0 --exact --model model.zug --threads 4"
)]
pub struct EvalArgs {
    /// The game
    pub game: String,
    /// A position in the game's notation, 'start', a file of positions or of examples, or '-'
    #[arg(allow_hyphen_values = true)]
    pub position: String,
    /// A model by name or file ('zug learn GAME methods' lists the names); the best that ships with the game unless said otherwise
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Threads for a file
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// For a file: only the totals
    #[arg(long)]
    pub summary: bool,
    /// Of a file of examples: only those of this fold, held out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=19))]
    pub fold: Option<u8>,
    /// Of a file of examples: only those whose labels were found by solving
    #[arg(long)]
    pub exact: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
