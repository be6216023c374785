//! Explanations in Japanese.

use goban::{Color, Move};
use knowledge::{Fact, LinkKind, Region, Stones};
use playout::statistics::{Before, JointPair, Wins};
use policy::grouped;

use super::{ExplainedMove, Explanation, Grade, MovePrior, Swing};

/// Moves of an expected line that are shown.
const LINE: usize = 6;

/// Everything there is to say, the most important first.
pub fn sentences(explanation: &Explanation) -> Vec<String> {
    let (color, best) = (player(explanation.color), &explanation.best);
    let mut all = Vec::new();
    match &explanation.played {
        None if explanation.is_drawn => all.push(format!(
            "{}は人の打ち方にならって選んだ手で、プレイアウトは{}回。",
            name(best.mv),
            best.visits
        )),
        None => {
            all.push(format!("{color}の最善手は{}。{}。", name(best.mv), worth(best, None)));
        }
        Some(played) => {
            all.push(verdict(explanation, played));
            let worth = worth(best, Some(played));
            all.push(match explanation.grade() {
                Grade::Good => {
                    let whose =
                        if explanation.is_searched { "探索" } else { "プレイアウト" };
                    format!("{whose}の第一候補は{}。{worth}。", name(best.mv))
                }
                _ => format!("{}が勝る。{worth}。", name(best.mv)),
            });
        }
    }
    if let Some(prior) = best.prior {
        all.push(liked(explanation, prior));
    }
    all.extend(best.facts.iter().map(|fact| format!("{}は{}。", name(best.mv), does(fact))));
    if let Some(played) = &explanation.played {
        let bad = played.facts.iter().filter(|fact| fact.is_bad());
        all.extend(bad.map(|fact| format!("{}は{}。", name(played.mv), does(fact))));
        all.extend(explanation.swings.iter().map(|swing| fate(swing, best.mv, played.mv)));
        if let Some((region, points)) = explanation.territory {
            let place = place(region);
            all.push(format!("{}なら{place}で約{points:.0}目の得。", name(best.mv)));
        }
    }
    let counts = [
        explanation.miai.as_ref().map(counted_pair),
        explanation.order.as_ref().map(counted_order),
    ];
    all.extend(
        counts.iter().flatten().map(|counted| format!("一様なプレイアウトの集計：{counted}")),
    );
    all.extend(line(explanation.color, best, "予想される進行"));
    if let Some(played) = &explanation.played {
        all.extend(line(explanation.color, played, "実戦の手の後"));
    }
    all
}

pub fn counted_pair(pair: &JointPair) -> String {
    let [x, y] = pair.points;
    format!(
        "{}が{x}か{y}を得たプレイアウトは{}、どちらも得なかったものは{}。",
        player(pair.player),
        won(&pair.either),
        won(&pair.neither)
    )
}

pub fn counted_order(order: &Before) -> String {
    let (m, n) = (order.first.1, order.then.1);
    format!(
        "{}が{m}を{n}より先に打ったプレイアウトは{}、後に打ったものは{}。",
        player(order.first.0),
        won(&order.ordered),
        won(&order.reversed)
    )
}

/// `1,200回のうち900回勝ち（75%）`
fn won(wins: &Wins) -> String {
    let percent = 100.0 * wins.share().value;
    format!("{}回のうち{}回勝ち（{percent:.0}%）", grouped(wins.of), grouped(wins.won))
}

fn verdict(explanation: &Explanation, played: &ExplainedMove) -> String {
    let (winrate, score) = explanation.loss();
    let mv = name(played.mv);
    let word = match explanation.grade() {
        Grade::Good => return format!("{mv}は最善手に劣らない。"),
        Grade::Slip => "緩手",
        Grade::Mistake => "悪手",
        Grade::Blunder => "大悪手",
    };
    let percent = 100.0 * winrate;
    let costs = match (winrate >= 0.01, score >= 0.5) {
        (true, true) => format!("勝率を{percent:.0}%、{score:.1}目を失う"),
        (true, false) => format!("勝率を{percent:.0}%失う"),
        _ => format!("{score:.1}目を失う"),
    };
    format!("{}の{mv}は{word}で、{costs}。", player(explanation.color))
}

fn worth(explained: &ExplainedMove, other: Option<&ExplainedMove>) -> String {
    let stands = match explained.score {
        s if s >= 0.5 => format!("{s:.1}目の優勢"),
        s if s <= -0.5 => format!("{:.1}目の劣勢", -s),
        _ => "形勢は互角".to_owned(),
    };
    let few = |explained: &ExplainedMove| {
        explained.few().map_or(String::new(), |n| format!("（わずか{n}回のプレイアウトで）"))
    };
    let instead = other.map_or(String::new(), |other| {
        format!("（実戦は{:.0}%{}）", 100.0 * other.winrate, few(other))
    });
    format!("勝率{:.0}%{}{instead}、{stands}", 100.0 * explained.winrate, few(explained))
}

fn liked(explanation: &Explanation, prior: MovePrior) -> String {
    let (mv, share) = (name(explanation.best.mv), 100.0 * prior.probability);
    match prior.better {
        0 => format!("形の上では{mv}が着手モデルの第一候補（{share:.0}%）。"),
        n @ 1..5 => format!("形の上では{mv}は着手モデルの第{}候補（{share:.0}%）。", n + 1),
        _ if explanation.is_drawn => format!("{mv}は形の上では珍しい（{share:.1}%）。"),
        _ => {
            let found = if explanation.is_searched {
                "読みで見つかった手"
            } else {
                "プレイアウトの成績が最も良い手"
            };
            format!("{mv}は形の上では珍しく（{share:.1}%）、{found}。")
        }
    }
}

/// What a move does, as a predicate.
fn does(fact: &Fact) -> String {
    match fact {
        Fact::Captures(taken, 0) => format!("{}を取る", stones(taken)),
        Fact::Captures(taken, freed) => {
            format!("{}を取り、アタリの{freed}子を助ける", stones(taken))
        }
        Fact::Ladder(caught) => format!("{}をシチョウで取る", stones(caught)),
        Fact::Atari(chased) => format!("{}へのアタリ", stones(chased)),
        Fact::Saves(saved) => format!("アタリの{}を助ける", stones(saved)),
        Fact::RunsInLadder(caught) => format!("{}を逃げるが、シチョウで取られる", stones(caught)),
        Fact::StopsLadder(saved) => format!("シチョウにかかる{}を守る", stones(saved)),
        Fact::SelfAtari(own) => format!("{}を自らアタリにする", stones(own)),
        Fact::FillsEye => "自分の眼をつぶす".to_owned(),
        Fact::Ko => "コウを取る".to_owned(),
        Fact::Connects(a, b) => format!("{}と{}をつなぐ", stones(a), stones(b)),
        Fact::Cuts(a, b) => format!("{}と{}を切る", stones(a), stones(b)),
        Fact::MakesEye(own) => format!("{}に眼を作る", stones(own)),
        Fact::TakesEye(of) => format!("{}の眼を奪う", stones(of)),
        Fact::Shape(kind, from) => format!("{from}からの{}", shape(*kind)),
        Fact::Opens(region) => format!("{}の空いた所を占める", place(*region)),
        Fact::Reaches(points) => format!("勢力を{points}目分広げる"),
    }
}

fn shape(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Bamboo => "竹節",
        LinkKind::Diagonal => "コスミ",
        LinkKind::OnePointJump => "一間トビ",
        LinkKind::KnightsMove => "ケイマ",
        LinkKind::TwoPointJump => "二間トビ",
        LinkKind::LargeKnightsMove => "大ゲイマ",
    }
}

fn fate(swing: &Swing, best: Move, played: Move) -> String {
    let (whose, best, played) = (stones(&swing.stones), name(best), name(played));
    let percent = |survives: f32| format!("{:.0}%", 100.0 * survives);
    let (what, [bad, good]) = match swing.best > swing.played {
        true => ("死ぬ", [1.0 - swing.played, 1.0 - swing.best].map(percent)),
        false => ("生きる", [swing.played, swing.best].map(percent)),
    };
    format!("{whose}は{played}の後{bad}で{what}が、{best}なら{good}。")
}

/// `C3の黒4子`
fn stones(stones: &Stones) -> String {
    format!("{}の{}{}子", stones.at, player(stones.color), stones.count)
}

fn player(color: Color) -> &'static str {
    if color == Color::Black { "黒" } else { "白" }
}

fn place(region: Region) -> &'static str {
    match region {
        Region::UpperLeft => "左上隅",
        Region::Upper => "上辺",
        Region::UpperRight => "右上隅",
        Region::Left => "左辺",
        Region::Centre => "中央",
        Region::Right => "右辺",
        Region::LowerLeft => "左下隅",
        Region::Lower => "下辺",
        Region::LowerRight => "右下隅",
    }
}

fn name(mv: Move) -> String {
    match mv {
        Move::Play(p) => p.to_string(),
        Move::Pass => "パス".to_owned(),
    }
}

fn line(color: Color, explained: &ExplainedMove, what: &str) -> Option<String> {
    let mut to_move = color;
    let mut moves = Vec::new();
    for &mv in explained.line.iter().take(LINE) {
        moves.push(format!("{}{}", player(to_move), name(mv)));
        to_move = !to_move;
    }
    (moves.len() > 1).then(|| format!("{what}：{}。", moves.join("、")))
}
