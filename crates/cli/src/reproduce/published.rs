//! Numbers that were published, to be set beside ours. Source A is a thesis on collage patterns,
//! source B a paper on two-point relations (see docs/statistics.md), source C a paper on gradient learning (see docs/evaluation.md for the items).

/// Pattern families of source A.
pub const FAMILIES: [&str; 4] = ["n5", "n7", "n9", "cp"];

/// The items of the tables of source A.
pub const ITEMS: [&str; 12] = [
    "Rank",
    "RankInv",
    "Match1",
    "Match10",
    "Match20",
    "CoMatch",
    "Select",
    "SelectRoot",
    "Over5",
    "Over20",
    "Not30",
    "Not70",
];

/// Whether more of an item is better.
pub fn more_is_better(item: &str) -> bool {
    !(item.starts_with("Rank") || item.starts_with("Not"))
}

/// Patterns kept, by family.
pub fn patterns(side: u8) -> [f64; 4] {
    match side {
        9 => [270_311.0, 540_323.0, 508_050.0, 990_131.0],
        _ => [651_775.0, 997_801.0, 1_189_956.0, 2_534_430.0],
    }
}

/// The items, by family.
pub fn items(side: u8) -> [[f64; 12]; 4] {
    match side {
        9 => [
            [
                4.892, 1.967, 0.3419, 0.8698, 0.9768, 0.9520, 0.2138, 0.1537, 0.7054, 0.3798,
                0.6072, 0.4404,
            ],
            [
                4.707, 1.942, 0.3474, 0.8864, 0.9737, 0.9542, 0.2216, 0.1591, 0.7056, 0.3889,
                0.6073, 0.4263,
            ],
            [
                4.985, 1.980, 0.3400, 0.8628, 0.9740, 0.9508, 0.2165, 0.1545, 0.6929, 0.3804,
                0.6111, 0.4247,
            ],
            [
                4.593, 1.925, 0.3514, 0.8856, 0.9763, 0.9556, 0.2582, 0.1689, 0.6493, 0.4133,
                0.6645, 0.4972,
            ],
        ],
        _ => [
            [
                15.08, 2.304, 0.3069, 0.6709, 0.7800, 0.9610, 0.1381, 0.0886, 0.5309, 0.2535,
                0.5083, 0.3958,
            ],
            [
                13.95, 2.242, 0.3159, 0.6921, 0.7948, 0.9641, 0.1471, 0.0955, 0.5477, 0.2743,
                0.5264, 0.3799,
            ],
            [
                13.66, 2.224, 0.3173, 0.6999, 0.8015, 0.9649, 0.1488, 0.0974, 0.5553, 0.2798,
                0.5442, 0.4066,
            ],
            [
                12.96, 2.349, 0.2864, 0.6993, 0.8103, 0.9669, 0.1442, 0.0935, 0.5548, 0.2517,
                0.5743, 0.3938,
            ],
        ],
    }
}

/// Playouts a second on one core of a 2.27 GHz Xeon, by family.
pub fn speeds(side: u8) -> [f64; 4] {
    match side {
        9 => [1298.0, 885.0, 626.0, 512.0],
        _ => [238.0, 157.0, 104.0, 81.0],
    }
}

/// Share of games that CP won against N5, N7 and N9 on 9x9, 5 s a move, 500 games each.
pub const CP_WON: [f64; 3] = [0.340, 0.348, 0.384];

/// Games that the gradient method won against MM with equal features, of 200.
pub const GRADIENT_WON: f64 = 142.0 / 200.0;

/// Joint criticality of the pair of the first miai, and of the next pair.
pub const MIAI: [f64; 2] = [0.238, 0.146];

/// Joint criticality of five bamboo joints, least and largest, and of the next pair.
pub const JOINTS: [f64; 3] = [0.052, 0.055, 0.027];

/// Ranks by order in the first race: outside liberties, the inside one, Black's own; and the largest
/// order criticality of an outside move before the inside one.
pub const RACE: [f64; 4] = [0.71, -0.65, -0.75, 0.092];

/// The rank of the vital point in the second race: before, and after White's inside moves.
pub const VITAL: [f64; 3] = [-0.07, 0.10, 0.15];
