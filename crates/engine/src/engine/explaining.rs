//! What the engine says about moves: its own, those of a report, those that were played.

use goban::{Color, Game, Move};
use knowledge::Entry;
use playout::statistics::{Findings, gather_quietly};
use search::{Report, Stop};

use super::{Choice, Engine, MoveOrigin};
use crate::explain::{Explanation, Language};
use crate::request::Request;

impl Engine {
    /// Why the last move that the engine chose in this game was chosen, a sentence a line; nothing if it
    /// has not chosen any.
    pub fn explain(&self, language: Language) -> String {
        if self.chosen_in().is_none() {
            return String::new();
        }
        if let Some((_, entry)) = &self.booked {
            return from_book(entry, language);
        }
        let Some((game, choice, report)) = &self.last else { return String::new() };
        let first = match (choice, language) {
            (Choice::Resign, Language::English) => "I resign.".to_owned(),
            (Choice::Resign, Language::Japanese) => "投了します。".to_owned(),
            (Choice::Play(Move::Pass), Language::English) => "I passed.".to_owned(),
            (Choice::Play(Move::Pass), Language::Japanese) => "パスしました。".to_owned(),
            (Choice::Play(mv), Language::English) => format!("I played {mv}."),
            (Choice::Play(mv), Language::Japanese) => format!("{mv}に打ちました。"),
        };
        let mut lines = vec![first];
        let mut explanation = self.explanation(game, report, choice.as_move());
        if let MoveOrigin::Weighed(pattern) = &self.origin {
            explanation.is_searched = false;
            lines.extend(pattern.as_ref().map(|name| match language {
                Language::English => format!("The pattern '{name}' proposed it."),
                Language::Japanese => format!("パターン「{name}」による手です。"),
            }));
        }
        lines.extend(explanation.sentences(language));
        lines.join("\n")
    }

    /// What a report about a game says about its best move, or about this one that was chosen.
    pub fn explanation(&self, game: &Game, report: &Report, mv: Option<Move>) -> Explanation {
        let models = self.library.models(game.board().size());
        let best = |report: &Report| Explanation::new(&models.tree, game, report);
        match mv {
            None => best(report),
            // What is settled is passed, whatever else the search would play.
            Some(Move::Pass) => {
                let mut report = report.clone();
                report.candidates.retain(|c| c.mv == Move::Pass && c.visits > 0);
                best(&report)
            }
            Some(mv) => Explanation::drawn(&models.tree, game, report, mv)
                .or_else(|| Explanation::of_candidate(&models.tree, game, report, mv))
                .unwrap_or_else(|| best(report)),
        }
    }

    /// What a report about the game says about one of its candidates, beside the best one; nothing
    /// about a move that was not looked at.
    pub fn explain_candidate(&self, report: &Report, mv: Move) -> Option<Explanation> {
        let models = self.library.models(self.game.board().size());
        Explanation::of_candidate(&models.tree, &self.game, report, mv)
    }

    /// What a report about a game says about a move that was played, by another report about the
    /// position after it.
    pub fn compare(
        &self,
        game: &Game,
        report: &Report,
        played: Move,
        after: &Report,
    ) -> Explanation {
        let models = self.library.models(game.board().size());
        Explanation::compare(&models.tree, game, report, played, after)
    }

    /// Thinks about the position with `color` to move and about the move that was played there, and
    /// says what is best and what was wrong with the other. `watch` sees what was found.
    pub fn explain_move(
        &mut self,
        color: Color,
        played: Option<Move>,
        request: &Request,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report),
    ) -> Explanation {
        let request = Request { candidate_ownership: true, ..request.clone() };
        let report = self.analyse(color, &request, stop, watch);
        let (models, game) = (self.library.models(self.game.board().size()), self.game.clone());
        let best = report.candidates.first().map(|candidate| candidate.mv);
        let other = played.filter(|&mv| Some(mv) != best && game.check(color, mv).is_ok());
        let Some(played) = other else { return Explanation::new(&models.tree, &game, &report) };
        // A move that was hardly looked at is judged by a search of its own.
        if self.game.play_as(color, played).is_err() {
            return Explanation::new(&models.tree, &game, &report);
        }
        let after = self.analyse(!color, &request, stop, watch);
        self.game = game;
        let mut explanation =
            Explanation::compare(&models.tree, &self.game, &report, played, &after);
        self.add_statistics(&mut explanation);
        explanation
    }

    /// Adds what statistics of playouts from the position tell about the moves of an explanation.
    pub fn add_statistics(&self, explanation: &mut Explanation) {
        let counts = gather_quietly(&self.light_playouts(explanation.color));
        explanation.add_statistics(&Findings::new(&counts, self.game.board()));
    }
}

/// Why a move of the opening book was played.
fn from_book(entry: &Entry, language: Language) -> String {
    let Entry { point, played, won } = *entry;
    let share = 100.0 * f64::from(won) / f64::from(played.max(1));
    match language {
        Language::English => {
            let games = if played == 1 { "game" } else { "games" };
            format!(
                "I played {point}.\nIt is a move of the opening book: played here in {played} {games}, \
                 {share:.0} % of them won. I did not think about it."
            )
        }
        Language::Japanese => format!(
            "{point}に打ちました。\n布石集にある手です。この局面で{played}局打たれ、勝率は{share:.0}%。\
             読みは入れていません。"
        ),
    }
}
