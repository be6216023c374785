//! Character sets: named, unnamed, wrong, and those whose characters hide brackets.

use encoding_rs::Encoding;
use kifu::Layout;

use crate::{check_round_trip, texts};

/// Reads a game written in a character set; its text must come back.
#[track_caller]
fn check(label: &str, comment: &str, warnings: &[&str]) {
    let encoding = Encoding::for_label(label.as_bytes()).unwrap();
    let text = format!("(;GM[1]CA[{label}]PB[{comment}];B[aa]C[{comment}])(;GM[1];B[bb])");
    let (bytes, _, unmappable) = encoding.encode(&text);
    assert!(!unmappable, "{label}: {comment}");
    let (trees, found) = kifu::read(&bytes);
    assert_eq!(texts(&found), warnings, "{label}");
    assert_eq!(trees.len(), 2, "{label}");
    let node = trees[0].main_line().last().unwrap();
    assert_eq!(trees[0].value(trees[0].root(), "PB").unwrap().text(), comment);
    assert_eq!(trees[0].value(node, "C").unwrap().text(), comment);
    check_round_trip(&trees, Layout::default());
}

#[test]
fn named_sets_are_read() {
    check("UTF-8", "表裏 é", &[]);
    check("Shift_JIS", "本因坊", &[]);
    check("EUC-JP", "本因坊", &[]);
    check("ISO-2022-JP", "本因坊", &[]);
    check("GB2312", "吴清源", &[]);
    check("GBK", "吳清源", &[]);
    check("gb18030", "𠮷 ẞ", &[]);
    check("Big5", "吳清源", &[]);
    check("EUC-KR", "이창호", &[]);
    check("ISO-8859-1", "Jérôme", &[]);
    check("windows-1251", "Шикшин", &[]);
    check("KOI8-R", "Шикшин", &[]);
}

#[test]
fn second_bytes_that_look_like_brackets_are_not() {
    // 0x5c, the backslash: 表 is 95 5c.
    assert_eq!(&*encoding_rs::SHIFT_JIS.encode("表").0, b"\x95\x5c");
    check("Shift_JIS", "表", &[]);
    check("Shift_JIS", "ソ十表", &[]);
    assert_eq!(&*encoding_rs::BIG5.encode("功").0, b"\xa5\x5c");
    check("Big5", "許功蓋", &[]);
    assert_eq!(&*encoding_rs::GBK.encode("乗").0, b"\x81\x5c");
    check("GBK", "乗", &[]);
    // 0x5d, the closing bracket.
    assert_eq!(&*encoding_rs::SHIFT_JIS.encode("評").0, b"\x95\x5d");
    check("Shift_JIS", "好評", &[]);
    assert_eq!(&*encoding_rs::BIG5.encode("因").0, b"\xa6\x5d");
    check("Big5", "因", &[]);
    assert_eq!(&*encoding_rs::GBK.encode("乚").0, b"\x81\x5d");
    check("GBK", "乚", &[]);
    // 0x5b, the opening bracket.
    assert_eq!(&*encoding_rs::SHIFT_JIS.encode("ー").0, b"\x81\x5b");
    check("Shift_JIS", "サッカー", &[]);
    check("GBK", "乕乗乚乛", &[]);
    check("ISO-2022-JP", "囲碁対局、終", &[]);
    // Half-width katakana are single bytes in the range of lead bytes of other sets.
    check("Shift_JIS", "ﾎﾝｲﾝﾎﾞｳ", &[]);
}

#[test]
fn every_character_of_the_double_byte_sets_survives() {
    for encoding in [encoding_rs::SHIFT_JIS, encoding_rs::BIG5, encoding_rs::GBK] {
        let mut text = String::new();
        for lead in 0x81..=0xfe_u8 {
            for trail in 0x40..=0xfe_u8 {
                let pair = [lead, trail];
                let decoded = encoding.decode_without_bom_handling_and_without_replacement(&pair);
                // Not all pairs come back as they were; what is encoded again counts.
                text.extend(decoded.iter().flat_map(|text| text.chars()).filter(|c| !c.is_ascii()));
            }
        }
        let game = format!("(;CA[{}]C[{text}];B[aa])(;CA[x])", encoding.name());
        let (trees, warnings) = kifu::read(&encoding.encode(&game).0);
        assert_eq!(texts(&warnings), [""; 0], "{}", encoding.name());
        assert_eq!(trees.len(), 2);
        let wanted = encoding.encode(&text).0;
        let wanted = encoding.decode_without_bom_handling(&wanted).0;
        assert_eq!(trees[0].value(trees[0].root(), "C").unwrap().text(), wanted);
    }
}

#[test]
fn the_name_may_come_after_the_characters() {
    for (label, name) in [("Shift_JIS", "表"), ("Big5", "功"), ("GBK", "乚")] {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let text = format!("(;GM[1]PB[{name}]CA[{label}];B[aa])(;GM[1])");
        let (trees, warnings) = kifu::read(&encoding.encode(&text).0);
        assert_eq!((texts(&warnings), trees.len()), (vec![], 2));
        assert_eq!(trees[0].value(trees[0].root(), "PB").unwrap().text(), name);
    }
}

#[test]
fn games_of_one_file_may_differ() {
    let mut bytes = encoding_rs::SHIFT_JIS.encode("(;CA[Shift_JIS]PB[表])\n").0.into_owned();
    bytes.extend(&*encoding_rs::BIG5.encode("(;CA[Big5]PB[功])\n").0);
    bytes.extend("(;PB[é])\n".as_bytes());
    let (trees, warnings) = kifu::read(&bytes);
    assert_eq!(texts(&warnings), [""; 0]);
    let names: Vec<_> = trees.iter().map(|t| t.value(t.root(), "PB").unwrap().raw()).collect();
    assert_eq!(names, ["表", "功", "é"]);
}

#[test]
fn unnamed_text_is_utf8_or_a_guess() {
    let comment = "これは有名な耳赤の一局です。黒番は本因坊秀策、白番は井上幻庵因碩。予定表";
    let game = format!("(;GM[1];B[aa]C[{comment}])(;GM[1])");
    assert_eq!(kifu::read(game.as_bytes()).1, []);
    let (trees, warnings) = kifu::read(&encoding_rs::SHIFT_JIS.encode(&game).0);
    assert_eq!(
        texts(&warnings),
        ["game 1, line 1: no character set is named and the text is not UTF-8; it was guessed \
          to be Shift_JIS"]
    );
    assert_eq!(trees.len(), 2, "the last character hides a backslash");
    assert_eq!(trees[0].value(trees[0].main_line().last().unwrap(), "C").unwrap().text(), comment);
}

#[test]
fn wrong_names_are_noticed() {
    let check = |bytes: &[u8], warning: &str, player: &str| {
        let (trees, warnings) = kifu::read(bytes);
        assert_eq!(texts(&warnings), [warning]);
        assert_eq!(trees[0].value(trees[0].root(), "PB").unwrap().text(), player);
        check_round_trip(&trees, Layout::default());
    };
    let player = "吴清源与木谷实";
    check(
        format!("(;CA[GB2312]PB[{player}])").as_bytes(),
        "game 1, line 1: the text is not GB2312 although CA says so; it was read as UTF-8",
        player,
    );
    let long = "这是新布局时代的名局，吴清源先生执白";
    check(
        &encoding_rs::GBK.encode(&format!("(;CA[UTF-8]PB[{long}])")).0,
        "game 1, line 1: the text is not UTF-8 although CA says so; it was read as GBK",
        long,
    );
    check(
        "(;CA[Klingon]PB[é])".as_bytes(),
        "game 1, line 1: the character set \"Klingon\" is not known; UTF-8 was used",
        "é",
    );
    check(
        b"(;CA[UTF-8]PB[\xe6\xa2\x85\xe5\xa4\xaa\xe9\x83])",
        "game 1, line 1: malformed UTF-8 was replaced by U+FFFD in 1 place",
        "梅太\u{fffd}",
    );
}

#[test]
fn an_unknown_name_does_not_matter_in_ascii() {
    assert_eq!(kifu::read(b"(;CA[Klingon]PB[Ume])").1, []);
}

#[test]
fn byte_order_marks_are_no_text() {
    let (trees, warnings) = kifu::read("\u{feff}(;PB[梅])\n\u{feff}(;PB[竹])".as_bytes());
    assert_eq!((trees.len(), texts(&warnings)), (2, vec![]));
}

#[test]
fn utf16_is_read() {
    // Long enough for several pieces, with pairs of surrogates across their borders.
    let comment = "梅𠮷".repeat(40_000);
    let text = format!("\u{feff}(;GM[1]CA[UTF-16]PB[表];B[aa]C[{comment}])(;GM[1])");
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        let (trees, warnings) = kifu::read(&bytes);
        assert_eq!((trees.len(), texts(&warnings)), (2, vec![]));
        let node = trees[0].main_line().last().unwrap();
        assert_eq!(trees[0].value(node, "C").unwrap().text(), comment);
    }
}
