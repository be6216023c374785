//! What pages say, in Japanese: English is written where it is said, and looked up here.

use engine::Language;

/// The words of a language.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub Language);

impl Words {
    /// Words as they are said in the language. What is not known, such as names, is said as it is.
    pub fn say(self, english: &str) -> &str {
        match self.0 {
            Language::English => english,
            Language::Japanese => JAPANESE
                .iter()
                .find(|(known, _)| *known == english)
                .map_or(english, |&(_, japanese)| japanese),
        }
    }

    /// Words with values where `{0}`, `{1}` … are, in any order.
    pub fn fill(self, english: &str, values: &[&str]) -> String {
        let mut rest = self.say(english);
        let mut text = String::new();
        while let Some((before, after)) = rest.split_once('{') {
            text += before;
            let (number, after) = after.split_once('}').unwrap_or(("", after));
            text += number.parse().ok().and_then(|i: usize| values.get(i)).copied().unwrap_or("");
            rest = after;
        }
        text + rest
    }

    /// The words over columns.
    pub fn head<'a>(self, english: &[&'a str]) -> Vec<&'a str>
    where
        Self: 'a,
    {
        english.iter().map(|words| self.say(words)).collect()
    }

    /// A number of things.
    pub fn many(self, count: usize, thing: &str) -> String {
        match self.0 {
            Language::English => policy::many(count, thing),
            Language::Japanese => format!("{}{}", policy::grouped(count), self.say(thing)),
        }
    }
}

const JAPANESE: &[(&str, &str)] = &[
    // Things that are counted.
    ("game", "局"),
    ("position", "局面"),
    ("duplicate", "局の重複"),
    // Matches.
    ("Matches", "対戦"),
    ("Games", "対局"),
    ("No game is finished yet.", "終わった対局はまだありません。"),
    ("{0} against {1}", "{0} 対 {1}"),
    ("match", "対戦"),
    ("board", "盤"),
    ("won", "勝"),
    ("drawn", "引分"),
    ("lost", "敗"),
    ("score", "勝率"),
    ("95 %", "95 %区間"),
    ("Score of the first player", "一人目の勝率"),
    ("share of the points, 95 % interval (Wilson)", "得点の割合、95 %区間(ウィルソン)"),
    ("Score of the first player after each game", "一局ごとの一人目の勝率"),
    ("games", "局"),
    ("95 %, from", "95 %区間 下限"),
    ("to", "上限"),
    ("{0} to {1}", "{0}~{1}"),
    ("first", "一人目"),
    ("second", "二人目"),
    ("nobody", "なし"),
    ("Black", "黒"),
    ("winner", "勝者"),
    ("result", "結果"),
    ("ended", "終わり方"),
    ("moves", "手数"),
    ("seconds", "秒"),
    ("by points", "整地"),
    ("by resignation", "投了"),
    ("too long", "手数の上限"),
    ("on time", "時間切れ"),
    ("without an answer", "応答なし"),
    ("by an illegal move", "反則"),
    ("by a refusal", "着手拒否"),
    ("by a crash", "異常終了"),
    // Models.
    ("what it does", "役割"),
    ("orders the moves of the tree", "探索木の手を順位付ける"),
    ("draws the moves of playouts", "プレイアウトの手を選ぶ"),
    ("learned on", "学習した盤"),
    ("learned from", "学習"),
    ("shapes", "形"),
    ("{0} of {1}", "{0}({1})"),
    ("filter exponent", "フィルタの指数"),
    // Rating lists.
    ("Rating list, {0}", "レーティング表、{0}"),
    (
        "{0}, komi {1}, {2} rules. Bradley-Terry ratings with 95 % errors.",
        "{0}、コミ{1}、ルール {2}。ブラッドリー・テリーのレーティングと95 %誤差。",
    ),
    ("player", "プレイヤー"),
    ("given", "固定"),
    ("opposition", "相手の平均"),
    ("above next", "次より強い確率"),
    ("Ratings", "レーティング"),
    ("pair", "組"),
    ("expected", "期待値"),
    // Learning.
    ("Learning", "学習"),
    ("{0}: log-likelihood by pass", "{0}: 周回ごとの対数尤度"),
    ("{0}: Match1 on validation by pass", "{0}: 周回ごとの検証データでのMatch1"),
    ("pass", "周回"),
    ("validation", "検証"),
    // Models on games.
    ("Models on games, {0}: {1}", "棋譜でのモデルの評価、{0}: {1}"),
    ("{0} models", "{0}モデル"),
    (
        "{0}, {1}; passes are left out, all legal moves count. {2}.",
        "{0}、{1}。パスは除き、すべての合法手を数えます。{2}。",
    ),
    ("{0} left out.", "{0}を除きました。"),
    ("How far figures are off cannot be told from one game", "一局だけでは誤差は分かりません"),
    (
        "After each figure is half of its 95 % interval, by drawing games again",
        "各値の後は95 %区間の半幅(対局のブートストラップ)です",
    ),
    ("Match_n: share of moves among the first n", "Match_n: 上位n手に入る着手の割合"),
    ("Calibration by rank: played, by probability", "順位ごとの較正: 確率と実際に打たれた割合"),
    ("mean probability of the move ranked 1, 2, …", "1位、2位…の手の平均確率"),
    ("MLE by move number", "手数ごとのMLE"),
    ("Match1 by move number", "手数ごとのMatch1"),
    ("move", "手"),
    ("none", "なし"),
    ("{0} points", "{0}点"),
    ("SizeMax of {0}: largest match of empty points", "{0}のSizeMax: 空点で一致する最大の形"),
    ("move of a playout", "プレイアウトの手"),
    (
        "{0} patterns of the family {1}, filter {2}; learned from {3}",
        "形の種類{1}、{0}パターン、フィルタ{2}。学習データ: {3}",
    ),
    ("phase", "段階"),
    ("opening", "布石"),
    ("middle game", "中盤"),
    ("endgame", "ヨセ"),
    ("end", "終局"),
    ("positions", "局面"),
    ("points", "点"),
    ("patterns", "パターン"),
    ("seen", "出現"),
    ("played", "着手"),
    ("Most played, X to play at *", "最も多く打たれた形(Xが*に打つ)"),
    ("played {0} %", "着手 {0} %"),
    ("weight {0}", "重み {0}"),
    // Playouts against an oracle.
    ("Playouts against an oracle, {0}", "プレイアウトと判定の比較、{0}"),
    (
        "{0} positions of {1}, {2} playouts each. The error of ownership is per point, from -1 to 1; \
         pairs are positions of a game few moves apart whose judged win rates differ.",
        "{1}の{0}局面、各{2}プレイアウト。地の見込みの誤差は一点あたり(-1から1)。組は同じ対局の\
         数手離れた局面で、判定された勝率が異なるものです。",
    ),
    ("playouts", "プレイアウト"),
    ("ownership MSE", "地の見込みのMSE"),
    ("than uniform", "一様との差"),
    ("win rate MSE", "勝率のMSE"),
    ("score MSE", "目差のMSE"),
    ("pairs told apart", "見分けた組"),
    ("{0} % of {1}", "{1}組の{0} %"),
    ("difference", "差"),
    ("playouts/s", "毎秒"),
    ("Ownership", "地の見込み"),
    ("Win rate", "勝率"),
    ("mean squared error", "平均二乗誤差"),
    ("Calibration of ownership: oracle, by playouts", "地の見込みの較正: プレイアウトごとの判定"),
    ("share of playouts in which a point is Black's", "点が黒のものになるプレイアウトの割合"),
    ("Calibration of win rates: oracle, by playouts", "勝率の較正: プレイアウトごとの判定"),
    ("share of playouts that Black wins", "黒が勝つプレイアウトの割合"),
    ("How far the score is off", "目差のずれ"),
    (
        "Mean error in points by thirds of the positions: by the mean of the playouts / by lines from \
         empty points. A score is of use if it is off by less than calling the game even.",
        "局面を三つに分けた平均誤差(目): プレイアウトの平均 / 空点からの線。互角とするより誤差が\
         小さければ役に立ちます。",
    ),
    ("calling it even", "互角とする"),
    ("moves {0} to {1}", "{0}~{1}手"),
    ("all", "全体"),
    ("Dead stones", "死石"),
    (
        "Chains that the oracle is sure of: {0} dead, {1} alive. Found is the share of the dead ones \
         called dead, wrong the share of those called dead that live.",
        "判定が確かな連: 死に{0}、生き{1}。「発見」は死んだ連のうち死にとした割合、「誤り」は死にと\
         したうち生きている割合です。",
    ),
    ("by chains: found", "連ごと: 発見"),
    ("by groups: found", "群ごと: 発見"),
    ("wrong", "誤り"),
    ("unsettled", "未定"),
    ("Moves that a search picks", "探索が選ぶ手"),
    (
        "{0} searches of {1} playouts for each of {2} positions; the score is 1 less the judged loss in \
         win rate.",
        "{2}局面ごとに{1}プレイアウトの探索を{0}回。点数は1から判定された勝率の損失を引いたものです。",
    ),
    ("1 less the loss", "点数"),
    ("points lost", "失った目"),
    ("the judge's first", "判定の最善手"),
    ("judged at all", "判定された手"),
    (
        "Who will own each point: a black or white square, the larger the surer. B is Black's chance to \
         win.",
        "各点がだれのものになるか: 黒か白の四角で、大きいほど確かです。Bは黒の勝率です。",
    ),
    ("Position {0}", "局面 {0}"),
    // Suites.
    ("Suite of test positions", "結果の分かっている戦い"),
    (
        "{0} positions, {1} searches of {2} playouts each; intervals of 95 %.",
        "{0}局面、各{2}プレイアウトの探索を{1}回。95 %区間。",
    ),
    ("settings", "設定"),
    ("judged rightly", "正しい判断"),
    ("playouts needed", "必要なプレイアウト"),
    ("times as many", "倍率"),
    ("By kind", "種類ごと"),
    ("kind", "種類"),
    ("Mostly wrong with {0}", "{0}でほぼ誤った局面"),
    ("nakade", "ナカデ"),
    ("race", "攻め合い"),
    ("life", "死活"),
    ("corner", "隅"),
    ("connection", "連絡"),
    // Forecasts.
    ("Who will win, {0}", "勝敗の予測、{0}"),
    (
        "{0} of {1}, {2} playouts of a search each: how far Black's chance to win is from what became of the \
         game.",
        "{1}の{0}、探索の各{2}プレイアウト: 黒の勝率と実際の勝敗との差。",
    ),
    (
        "{0} of {1}, {2} playouts without a tree each: how far Black's chance to win is from what became of \
         the game.",
        "{1}の{0}、木を使わない各{2}プレイアウト: 黒の勝率と実際の勝敗との差。",
    ),
    ("squared error", "二乗誤差"),
    ("more than the first", "最初の設定との差"),
    ("winner seen", "勝者の的中"),
    ("Calibration: games won by Black, by forecast", "較正: 予測ごとの黒の勝ち"),
    ("Black's chance as foretold", "予測した黒の勝率"),
    // Reviews.
    ("How the game went", "対局の流れ"),
    ("Black wins", "黒の勝率"),
    ("move {0}", "第{0}手"),
    ("Black leads by", "黒のリード"),
    ("How often Black wins", "黒の勝率"),
    ("By how many points Black leads", "黒のリード(目)"),
    ("× played, 1 better", "× 実戦、1 正しい手"),
    ("Move {0}, {1} {2}: a blunder", "第{0}手、{1} {2}: 大悪手"),
    ("Move {0}, {1} {2}: a mistake", "第{0}手、{1} {2}: 悪手"),
    ("White", "白"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_where_the_language_has_them() {
        let [english, japanese] = [Words(Language::English), Words(Language::Japanese)];
        assert_eq!(english.fill("{0} of {1}", &["3", "{0}"]), "3 of {0}");
        assert_eq!(japanese.fill("{0} % of {1}", &["50", "8"]), "8組の50 %");
        assert_eq!(japanese.say("harie:visits=10"), "harie:visits=10");
        // No words are said twice, and every translation has the same values.
        for (i, (words, told)) in JAPANESE.iter().enumerate() {
            assert!(JAPANESE[..i].iter().all(|(other, _)| other != words), "{words}");
            for value in ["{0}", "{1}", "{2}", "{3}"] {
                assert_eq!(words.contains(value), told.contains(value), "{words}");
            }
        }
    }
}
