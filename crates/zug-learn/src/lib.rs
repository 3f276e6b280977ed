//! Learning evaluations from labelled examples. Nothing here knows any game: a game gives numbers
//! (features) or table cells for each example, and gets weights back.

