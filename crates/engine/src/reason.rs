//! What the move model says for and against a move, in the language of the reader. The English words
//! are the model's own; the Japanese ones are here, beside the other sentences of the engine.

use policy::{Meaning, Reason, ReasonKind, Use, grouped};

use crate::explain::Language;

/// A reason of the move model in words.
pub fn words(reason: &Reason, language: Language) -> String {
    match (language, reason.kind) {
        (Language::English, _) => reason.words.clone(),
        (Language::Japanese, ReasonKind::Feature(meaning, of)) => feature(meaning, of),
        (Language::Japanese, kind @ ReasonKind::Shape { points, seen, .. }) => {
            let (seen, share) = (grouped(seen), kind.share());
            format!("{points}点の形（{seen}回現れ、{share}%打たれた）")
        }
        (Language::Japanese, ReasonKind::Together) => "特徴と形の組み合わせ".to_owned(),
    }
}

fn feature(meaning: Meaning, of: Use) -> String {
    let stones = |n: u8| if n >= 3 { "3子以上".to_owned() } else { format!("{n}子") };
    // The largest distance that is told apart stands for all beyond.
    let farthest = |d: u8| of.number(Meaning::Last(d)) == of.number(Meaning::Last(u8::MAX));
    let away = |d: u8| if farthest(d) { format!("{d}以上") } else { d.to_string() };
    let gain = |i: i8| match i {
        -1 => "ダメが1つ減る",
        0 => "ダメは増えない",
        1 => "ダメが1つ増える",
        _ => "ダメが2つ以上増える",
    };
    let just = |updated: bool| if updated { "直前の手が触れた" } else { "" };
    match meaning {
        Meaning::Position(class) => place(class).to_owned(),
        Meaning::Last(d) => format!("直前の手からの距離{}", away(d)),
        Meaning::BeforeLast(d) => format!("2手前からの距離{}", away(d)),
        Meaning::Capture(n, -1) => format!("逃げられない{}を取る", stones(n)),
        Meaning::Capture(n, i) => format!("逃げられたはずの{}を取る（{}）", stones(n), gain(i)),
        Meaning::Extension(n, 1, i, updated) => {
            format!("{}アタリの{}を逃げる（{}）", just(updated), stones(n), gain(i))
        }
        Meaning::Extension(n, _, i, updated) => {
            format!("{}ダメ2つの{}をノビる（{}）", just(updated), stones(n), gain(i))
        }
        Meaning::Atari(n, updated) => format!("{}{}をアタリにする", just(updated), stones(n)),
        Meaning::Rescue(n) => format!("石を取って{}を助ける", stones(n)),
        Meaning::SelfAtari(n) => format!("自分の{}をアタリにする", stones(n)),
    }
}

fn place(class: u8) -> &'static str {
    match class {
        14 => "隅の点（1の1）",
        13 => "第一線、隅の隣",
        12 => "第一線、隅の近く",
        11 => "第一線",
        10 => "2の2",
        9 => "2の3",
        8 => "第二線",
        7 => "三々",
        6 => "第三線、隅の近く",
        5 => "目外し（3の5）",
        4 => "第三線",
        3 => "星（4の4）",
        2 => "高目（4の5）",
        1 => "第四線",
        _ => "中央",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_words_of_its_own_in_japanese() {
        for of in [Use::Uct, Use::Mc] {
            let mut seen = std::collections::BTreeMap::new();
            for number in 0..of.features() as u16 {
                let meaning = of.meaning(policy::Feature(number));
                let said = feature(meaning, of);
                assert!(!said.chars().any(|c| c.is_ascii_alphabetic()), "{said}");
                let other = seen.insert(said.clone(), number);
                // The English words are as many.
                let english = |n: u16| of.meaning(policy::Feature(n)).words(of);
                assert!(other.is_none_or(|n| english(n) == english(number)), "{said}");
            }
            assert!(seen.keys().any(|said| said.ends_with("以上")));
        }
    }
}
