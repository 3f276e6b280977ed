//! Small games: Dodgem, k-in-a-row, Connect Four, nine men's morris, matchsticks.
