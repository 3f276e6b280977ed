//! The final weights of all eighteen experiments, as the thesis prints them (Appendix B), and its
//! other figures: what our own runs are laid beside.
//!
//! One row is lost in the printed table: own class B of group A. It is rebuilt from the relation
//! between ring 0 and its classes, which learning leaves alone and which the rescaling shrinks to
//! nothing at α = 1: seven times the ring's weight less those of its other classes.

use super::features::FEATURES;

/// One experiment of the thesis.
#[derive(Clone, Copy, Debug)]
pub struct Printed {
    /// `A1` to `F3`.
    pub name: &'static str,
    /// Was a weight of it rebuilt?
    pub rebuilt: bool,
    /// P_6500, features 1 to 42.
    pub weights: [f64; FEATURES],
    /// First test, percent: three runs of P_0.
    pub first_start: [f64; 3],
    /// First test, percent: three runs of P_6500.
    pub first_end: [f64; 3],
    /// Third test, percent: means of P_0 and of P_6500.
    pub third: [f64; 2],
}

/// The experiment of this name, in capital or small letters.
///
/// ```
/// use zug_othello::selfplay::othilie::printed::printed;
/// assert_eq!(printed("e1").unwrap().weights[41], -1.0);
/// assert!(printed("G1").is_none());
/// ```
#[must_use]
pub fn printed(name: &str) -> Option<&'static Printed> {
    PRINTED.iter().find(|p| p.name.eq_ignore_ascii_case(name))
}

/// The experiments of a group, `A` to `F`.
pub fn of_group(group: &str) -> impl Iterator<Item = &'static Printed> {
    let group = group.to_ascii_uppercase();
    PRINTED.iter().filter(move |p| p.name[..1] == group)
}

/// What the thesis tells of a group's similarity: Q_0, Q_6500, and Q* from games 5000, 5500, 6000.
#[must_use]
pub fn similarity(group: &str) -> Option<[f64; 5]> {
    Some(match group {
        "A" => [18.24, 6.052, 7019.0, 5170.0, 2677.0],
        "B" => [20.02, 5.841, 6075.0, 4077.0, 2599.0],
        "C" => [17.26, 9.762, 15340.0, 10050.0, 4914.0],
        "E" => [20.16, 1.153, 2315.0, 1570.0, 682.4],
        "F" => [15.538, 2.355, 3162.0, 2046.0, 1036.0],
        _ => return None,
    })
}

/// Alpha's share of won learning games, percent, where the thesis tells it.
#[must_use]
pub fn learning_wins(group: &str) -> Option<[f64; 3]> {
    match group {
        "B" => Some([34.0, 13.5, 32.3]),
        "F" => Some([30.8, 34.0, 40.5]),
        _ => None,
    }
}

/// What the text says of the second test's final shares.
#[must_use]
pub fn second_test(name: &str) -> &'static str {
    match name {
        "A1" => "just above P_0's share",
        "A2" | "A3" => "below P_0's share",
        "B1" => "about 60 %",
        "B2" => "under 20 %",
        "B3" => "nearly 75 %",
        "C1" => "about 70 %",
        "C2" => "about 40 %",
        "C3" => "about 35 %",
        _ => "not told",
    }
}

/// All experiments.
pub static PRINTED: [Printed; 18] = [
    Printed {
        name: "A1",
        rebuilt: true,
        weights: [
            0.3084, 0.369, 0.3412, 0.3027, 0.342, 0.3162, 0.1737, 0.243, 0.3206, 0.2258, 0.2506,
            0.108, 0.3924, 0.3149, 0.1627, 0.01918, -0.4538, -0.4061, -0.4022, -0.3732, -0.4462,
            -0.4581, -0.2675, -0.2928, -0.4591, -0.3732, -0.4877, -0.3198, -0.5104, -0.4648,
            -0.3733, -0.5666, 0.3395, -0.4261, 0.2547, -0.3713, 0.1738, -0.3936, 0.2619, -0.4117,
            0.4276, -0.9932,
        ],
        first_start: [41.8, 43.3, 43.3],
        first_end: [52.8, 52.0, 51.8],
        third: [71.0, 78.6],
    },
    Printed {
        name: "A2",
        rebuilt: true,
        weights: [
            -0.1967, -0.05, -0.1293, -0.1305, -0.08317, -0.06668, -0.1184, -0.2376, -0.09668,
            -0.1646, -0.1776, -0.3045, -0.1391, -0.2104, -0.2572, -0.4013, -0.2471, -0.4177,
            -0.4515, -0.5156, -0.3979, -0.4773, -0.4052, -0.445, -0.4755, -0.446, -0.5291, -0.4087,
            -0.5887, -0.5496, -0.4733, -0.591, -0.1179, -0.4748, -0.1595, -0.4646, -0.2464,
            -0.4704, -0.1727, -0.478, 0.007298, -0.9996,
        ],
        first_start: [47.2, 43.2, 47.0],
        first_end: [43.7, 44.3, 45.3],
        third: [64.9, 73.4],
    },
    Printed {
        name: "A3",
        rebuilt: true,
        weights: [
            -0.0819, -0.023, -0.0237, -0.1383, -0.2189, -0.078, -0.1007, -0.02139, -0.04862,
            -0.07276, -0.1081, -0.1609, -0.04676, -0.1408, -0.1977, -0.1565, -0.6561, -0.5668,
            -0.5972, -0.5781, -0.6371, -0.6723, -0.6073, -0.6717, -0.6554, -0.6754, -0.6744,
            -0.6156, -0.6788, -0.5838, -0.5707, -0.7805, -0.08301, -0.6128, -0.08273, -0.6421,
            -0.1556, -0.6203, -0.1011, -0.6338, 0.06267, -0.9996,
        ],
        first_start: [51.1, 52.4, 47.6],
        first_end: [46.7, 49.1, 45.7],
        third: [67.3, 74.4],
    },
    Printed {
        name: "B1",
        rebuilt: false,
        weights: [
            0.2069, 0.2523, 0.2696, 0.2709, 0.265, 0.2691, 0.1631, 0.174, 0.3254, 0.2066, 0.187,
            0.1048, 0.3223, 0.1983, 0.1228, -0.04825, -0.324, -0.3675, -0.3776, -0.3722, -0.3511,
            -0.3588, -0.3285, -0.3046, -0.387, -0.3154, -0.3172, -0.3368, -0.4135, -0.3109,
            -0.3326, -0.4714, 0.2723, -0.3704, 0.2035, -0.3256, 0.1351, -0.3273, 0.2051, -0.3511,
            0.4742, -0.9993,
        ],
        first_start: [53.0, 50.0, 49.6],
        first_end: [51.8, 53.3, 53.5],
        third: [76.8, 78.0],
    },
    Printed {
        name: "B2",
        rebuilt: false,
        weights: [
            -0.0544, 0.1389, 0.07704, 0.2906, 0.3174, 0.1802, 0.1533, 0.1484, 0.205, 0.2099,
            0.1074, 0.02039, 0.3036, 0.1763, -0.1592, -0.05217, -0.449, -0.6265, -0.4088, -0.5937,
            -0.6308, -0.6571, -0.6306, -0.3585, -0.5911, -0.5113, -0.4423, -0.4161, -0.7834,
            -0.5146, -0.2554, -0.3648, 0.167, -0.584, 0.1654, -0.513, 0.009159, -0.3815, 0.126,
            -0.518, 0.3511, -0.7974,
        ],
        first_start: [62.9, 67.0, 63.1],
        first_end: [43.0, 43.4, 41.1],
        third: [79.9, 72.7],
    },
    Printed {
        name: "B3",
        rebuilt: false,
        weights: [
            0.03077, -0.002053, -0.069, -0.1879, 0.0276, 0.02556, -0.1093, -0.1077, 0.04954,
            -0.02359, -0.07874, -0.1716, 0.06295, -0.04465, -0.1838, -0.09712, -0.6947, -0.6891,
            -0.7164, -0.5824, -0.728, -0.815, -0.68, -0.6932, -0.8299, -0.7778, -0.7744, -0.6498,
            -0.86, -0.7676, -0.6351, -0.7564, -0.01418, -0.7313, -0.05207, -0.7469, -0.145,
            -0.6866, -0.05537, -0.7291, 0.1455, -1.0,
        ],
        first_start: [27.9, 29.4, 30.5],
        first_end: [43.6, 45.8, 46.4],
        third: [56.2, 73.7],
    },
    Printed {
        name: "C1",
        rebuilt: false,
        weights: [
            0.2345, 0.226, 0.2462, 0.2271, 0.3655, 0.2594, 0.1605, 0.06253, 0.3636, 0.2288, 0.1865,
            0.0995, 0.3895, 0.2561, 0.01439, 0.06886, -0.3282, -0.2651, -0.2968, -0.2888, -0.3946,
            -0.316, -0.1992, -0.1505, -0.4027, -0.2701, -0.192, -0.2993, -0.4263, -0.2628, -0.2198,
            -0.5294, 0.3015, -0.3286, 0.165, -0.2363, 0.08553, -0.271, 0.2183, -0.3076, 0.4865,
            -1.0,
        ],
        first_start: [24.8, 24.3, 25.6],
        first_end: [57.6, 60.5, 57.8],
        third: [54.5, 81.7],
    },
    Printed {
        name: "C2",
        rebuilt: false,
        weights: [
            0.1672, -0.003799, 0.1464, 0.4065, 0.3782, -0.1864, 0.08319, -0.1167, -0.142, 0.3497,
            0.112, -0.1033, 0.3015, 0.3173, 0.1699, -0.1248, -0.1209, -0.289, -0.4748, -0.6778,
            -0.6028, -0.2862, -0.3361, -0.1958, -0.4245, -0.2793, -0.2748, -0.4982, -0.3235,
            -0.1534, -0.3537, -0.3046, -0.001035, -0.4826, 0.3098, -0.07183, -0.09248, -0.2332,
            0.05921, -0.4954, 0.1415, -0.9998,
        ],
        first_start: [47.6, 45.2, 47.0],
        first_end: [44.5, 43.5, 45.7],
        third: [66.6, 72.3],
    },
    Printed {
        name: "C3",
        rebuilt: false,
        weights: [
            0.5668, 0.3343, 0.284, -0.127, 0.9644, -0.5368, 0.07201, -0.4238, -0.4187, 0.5699,
            0.5497, 0.2085, -0.5412, 0.4236, -0.3349, 0.352, -0.5543, -0.5164, -0.8354, 0.1215,
            -0.1266, -0.7045, -0.9558, -0.9596, 0.7314, 0.9538, -0.5148, -0.6622, -0.5958, -0.328,
            0.1047, -0.5336, 0.2039, -0.1226, -0.6897, -0.804, 0.6886, 0.6628, -0.367, -0.8554,
            0.7365, -0.3346,
        ],
        first_start: [41.5, 37.1, 40.9],
        first_end: [53.1, 50.0, 52.9],
        third: [71.5, 79.9],
    },
    Printed {
        name: "D1",
        rebuilt: false,
        weights: [
            0.07902, 0.4033, 0.3481, 0.4575, 0.9228, 0.08056, 0.04087, 0.1493, -0.4703, 0.05552,
            0.5665, -0.6831, 0.4019, 0.2992, 0.3419, 0.4353, -0.3778, -0.8376, -0.2571, -0.087,
            -0.9533, 0.3801, -0.7072, 0.4325, 0.45, -0.2814, 0.6414, 0.6254, 0.1103, -0.4441,
            0.1621, 0.34, 1.0, 0.1008, 0.05486, 0.2633, 0.6956, -0.4753, -0.5743, 0.1515, 0.05827,
            -0.8999,
        ],
        first_start: [50.6, 50.1, 50.3],
        first_end: [70.0, 67.8, 69.1],
        third: [73.2, 86.0],
    },
    Printed {
        name: "D2",
        rebuilt: false,
        weights: [
            -0.7205, -0.4278, 0.5319, 0.4888, 0.4224, 0.2384, -0.5917, -0.1691, 0.3575, -0.3905,
            -0.2793, -0.5324, -0.9336, 0.516, -0.7205, 0.4023, 0.4377, -0.9999, 0.5216, 0.6489,
            0.2931, 0.3292, 0.2795, -0.6535, 0.7224, -0.3908, -0.4516, -0.3224, -0.3141, 0.4918,
            -0.968, 0.6681, -0.7704, -0.7677, -0.7832, 0.158, 0.6801, 0.5351, -0.3492, 0.7373,
            0.3563, 0.8341,
        ],
        first_start: [14.0, 16.1, 15.7],
        first_end: [23.3, 26.5, 24.3],
        third: [27.2, 38.1],
    },
    Printed {
        name: "D3",
        rebuilt: false,
        weights: [
            0.4593, -0.1976, 0.04152, 0.3413, 0.4787, 0.3668, 0.4122, -0.7858, 0.1016, 0.8105,
            -0.929, 0.3047, 0.579, -0.7987, 0.05567, 0.09338, 0.4291, -0.91, 0.4541, -0.8129,
            0.5198, 0.2024, -0.7335, -0.08473, -0.2992, -0.08895, 0.1237, -0.4133, -1.0, -0.6763,
            -0.06732, 0.3002, -0.7801, -0.3241, -0.068, -0.8295, 0.3828, 0.03543, -0.5702, 0.603,
            0.421, -0.05311,
        ],
        first_start: [31.3, 29.6, 27.8],
        first_end: [36.8, 35.7, 34.3],
        third: [49.3, 63.2],
    },
    Printed {
        name: "E1",
        rebuilt: false,
        weights: [
            0.2033, 0.2409, 0.2444, 0.2274, 0.3145, 0.2716, 0.0233, 0.003071, 0.3945, 0.1932,
            0.02838, -0.004934, 0.4243, 0.1616, -0.001714, 0.001095, -0.2248, -0.2283, -0.2162,
            -0.2068, -0.3103, -0.2337, -0.0719, -0.03036, -0.3791, -0.2064, -0.09975, -0.1844,
            -0.3914, -0.1381, -0.04435, -0.4192, 0.291, -0.2771, 0.1075, -0.1248, -0.000716,
            -0.1005, 0.1209, -0.2063, 0.4539, -1.0,
        ],
        first_start: [82.7, 83.4, 82.6],
        first_end: [63.7, 62.2, 64.7],
        third: [92.8, 85.0],
    },
    Printed {
        name: "E2",
        rebuilt: false,
        weights: [
            0.237, 0.2215, 0.3072, 0.2888, 0.2817, 0.1956, 0.1363, 0.1005, 0.4212, 0.1363, 0.06743,
            0.009804, 0.4223, 0.02023, 0.01512, 0.002183, -0.1814, -0.2028, -0.2876, -0.2706,
            -0.2969, -0.1334, -0.1577, -0.1098, -0.3873, -0.09376, -0.1387, -0.2349, -0.3379,
            -0.02351, -0.1745, -0.4132, 0.3165, -0.2858, 0.1053, -0.0921, 0.02029, -0.18, 0.1394,
            -0.213, 0.4925, -1.0,
        ],
        first_start: [41.1, 37.8, 41.4],
        first_end: [62.3, 63.6, 64.0],
        third: [60.1, 85.7],
    },
    Printed {
        name: "E3",
        rebuilt: false,
        weights: [
            0.1952, 0.2245, 0.1974, 0.2014, 0.313, 0.2551, 0.1144, 0.0471, 0.3421, 0.2065, 0.02642,
            -0.007889, 0.4219, 0.1731, 0.000898, -0.008043, -0.2066, -0.2154, -0.1878, -0.2029,
            -0.3122, -0.2572, -0.131, -0.05787, -0.3529, -0.2471, -0.1008, -0.08503, -0.4065,
            -0.2261, -0.1094, -0.382, 0.2744, -0.2912, 0.1481, -0.1919, 0.0001348, -0.0996, 0.114,
            -0.2073, 0.4911, -0.9998,
        ],
        first_start: [40.9, 41.7, 40.6],
        first_end: [57.8, 60.9, 58.6],
        third: [62.2, 83.2],
    },
    Printed {
        name: "F1",
        rebuilt: false,
        weights: [
            0.5027, 0.6588, 0.5563, 0.5931, 0.7513, 0.5842, 0.3518, 0.4428, 0.7733, 0.4723, 0.3368,
            0.3349, 0.7698, 0.353, 0.3304, 0.6008, -0.678, -0.7211, -0.7636, -0.5921, -0.7046,
            -0.6775, -0.3103, -0.2097, -0.8101, -0.3086, -0.2822, 0.02502, -0.7505, -0.2788,
            0.02398, 0.1341, 0.6662, -0.7077, 0.4687, -0.3196, 0.3306, -0.08532, 0.5337, -0.4445,
            1.0, -0.3054,
        ],
        first_start: [40.5, 43.0, 40.7],
        first_end: [66.8, 67.6, 66.7],
        third: [62.3, 86.5],
    },
    Printed {
        name: "F2",
        rebuilt: false,
        weights: [
            0.6454, 0.5356, 0.6914, 0.7533, 0.7631, 0.5947, 0.3441, 0.3765, 0.8945, 0.373, 0.3686,
            0.293, 0.9945, 0.3843, 0.3061, 0.4995, -0.7107, -0.6028, -0.7503, -0.6633, -0.9123,
            -0.6154, -0.2487, -0.2175, -0.9004, -0.2594, -0.2061, 0.03577, -0.9153, -0.2447,
            -0.01177, 0.2269, 0.6837, -0.6929, 0.4641, -0.3812, 0.3292, -0.03022, 0.5205, -0.4917,
            0.8962, -0.263,
        ],
        first_start: [60.3, 59.6, 56.2],
        first_end: [71.1, 72.8, 71.6],
        third: [78.4, 88.7],
    },
    Printed {
        name: "F3",
        rebuilt: false,
        weights: [
            0.7517, 0.687, 0.6641, 0.7582, 0.9106, 0.6849, 0.4256, 0.4363, 0.9472, 0.4637, 0.433,
            0.4239, 0.9883, 0.4447, 0.4373, 0.6272, -0.62, -0.7925, -0.7328, -0.8183, -0.9667,
            -0.6511, -0.452, -0.2999, -0.9255, -0.4591, -0.2688, -0.135, -0.9602, -0.3423,
            -0.06776, 0.2104, 0.8135, -0.8227, 0.4995, -0.4498, 0.4527, -0.1241, 0.6353, -0.484,
            0.943, -0.1708,
        ],
        first_start: [61.4, 64.1, 61.9],
        first_end: [68.8, 65.7, 65.9],
        third: [83.6, 85.9],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Squares;
    use crate::selfplay::othilie::evaluation::score;
    use crate::selfplay::othilie::measures::{Signs, similarity_of};
    use crate::selfplay::othilie::players::{
        Ended, Fixed, RandomMover, RandomWeights, Sight, draw_weights, play,
    };
    use crate::{Board, Move};

    fn weights_of(group: &str) -> Vec<&'static [f64]> {
        of_group(group).map(|p| &p.weights[..]).collect()
    }

    #[test]
    fn the_similarity_of_the_printed_weights_is_the_printed_one() {
        for (group, q) in [("B", 5.841), ("C", 9.762), ("E", 1.153), ("F", 2.355)] {
            let found = similarity_of(&weights_of(group));
            assert_eq!(format!("{found:.3}"), format!("{q:.3}"), "group {group}");
        }
        assert_eq!(format!("{:.3}", similarity_of(&weights_of("D"))), "15.948");
        // With the row that was rebuilt.
        assert!((similarity_of(&weights_of("A")) - 6.052).abs() < 0.005);
    }

    #[test]
    fn own_weights_are_positive_and_the_opponents_negative_as_often_as_counted() {
        let signs = |group: &str| {
            let all = weights_of(group).into_iter().map(Signs::of);
            all.fold((0, 0), |(own, opp), s| (own + s.own_positive, opp + s.opponent_negative))
        };
        assert_eq!(signs("F"), (63, 57));
        assert_eq!(signs("E"), (58, 63));
    }

    #[test]
    fn the_printed_shares_of_all_random_starts_are_copied_right_by_their_means() {
        let mean = |of: fn(&Printed) -> f64| PRINTED.iter().map(of).sum::<f64>() / 18.0;
        let first = mean(|p| p.first_start.iter().sum::<f64>() / 3.0);
        assert!((first - 45.4).abs() < 0.05, "{first}");
        assert!((mean(|p| p.third[0]) - 66.5).abs() < 0.05);
    }

    #[test]
    fn random_polynomials_win_about_as_often_as_those_of_the_thesis() {
        let sight = Sight { depth: 2, ..Sight::default() };
        let (mut against_weights, mut against_moves) = (0, 0);
        for polynomial in 0..12 {
            let mut rng = zug_core::rng(1, polynomial);
            let mut weights = [0.0; 42];
            draw_weights(&mut weights, &mut rng);
            let (mut white, mut black) = (Fixed::new(&weights, sight), RandomWeights::new(sight));
            for _ in 0..20 {
                let won = |ended: Ended| u32::from(ended.for_white() > 0);
                against_weights += won(play(&mut black, &mut white, &mut rng));
                against_moves += won(play(&mut RandomMover, &mut white, &mut rng));
            }
        }
        // 45.4 and 66.5 percent in the thesis, over 18 polynomials that differ by 12 percent.
        let percent = [against_weights, against_moves].map(|won| f64::from(won) / 2.4);
        assert!((33.0..60.0).contains(&percent[0]), "{percent:?}");
        assert!((53.0..80.0).contains(&percent[1]), "{percent:?}");
        assert!(percent[0] < percent[1], "{percent:?}");
    }

    /// The squares that carry a letter, read row by row.
    fn squares(rows: [&str; 8], letter: char) -> Squares {
        let all: String = rows.concat();
        all.chars().enumerate().filter(|(_, c)| *c == letter).fold(0, |s, (i, _)| s | 1 << i)
    }

    #[test]
    fn the_line_of_appendix_e_replays_with_the_recomputed_values() {
        let rows = [
            ".OOOOOO.", "X.OOOOXO", "XXOXXXOO", "XOOXXXOO", "XXXXOOOO", "XXXOOOOO", "X.XOOO.O",
            ".OOOOOO.",
        ];
        let mut board = Board { own: squares(rows, 'O'), other: squares(rows, 'X') };
        assert_eq!((board.other.count_ones(), board.own.count_ones()), (20, 37));
        assert_eq!(board.moves(), 1 << 9 | 1 << 49, "only b2 and b7");
        let e1 = &printed("E1").unwrap().weights;
        let mut values = vec![score(e1, board.own, board.other)];
        let mut white = true;
        for (text, mover_is_white) in [
            ("b7", true),
            ("a8", false),
            ("b2", true),
            ("a1", false),
            ("h1", false),
            ("g7", false),
            ("h8", false),
        ] {
            if mover_is_white != white {
                assert_eq!(board.moves(), 0, "white passes before {text}");
                board = board.passed();
                white = !white;
            }
            let square = Move::from_ascii(text.as_bytes()[0], text.as_bytes()[1], 8).unwrap();
            let square = square.square().unwrap();
            assert_ne!(board.moves() >> square & 1, 0, "{text}");
            board = board.after(square);
            white = !white;
            let Board { own, other } = board;
            values.push(if white { score(e1, own, other) } else { score(e1, other, own) });
        }
        let expected = [0.0206, 0.0283, 0.0233, 0.0278, 0.0217, 0.0002, -0.0528, -1.0];
        for (found, expected) in values.iter().zip(expected) {
            assert!((found - expected).abs() < 0.000_06, "{values:?}");
        }
        assert_eq!((board.own.count_ones(), board.other.count_ones()), (12, 52));
        // Steps between neighbours as printed, but for the one after b7.
        let printed = [0.0169, 0.0246, 0.0182, 0.0228, 0.0166, -0.0049, -0.0579];
        for i in (0..6).filter(|i| *i != 1) {
            let (step, theirs) = (values[i + 1] - values[i], printed[i + 1] - printed[i]);
            assert!((step - theirs).abs() < 0.000_25, "step {i}: {step} and {theirs}");
        }
    }
}
