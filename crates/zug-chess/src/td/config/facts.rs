//! All choices in words.

use super::{Beginning, Opened, Settings};
use crate::td::lesson::Squash;
use crate::td::student::Teaching;

impl Settings {
    /// All choices in words, for `run.toml` and the page.
    #[must_use]
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let yes = |b: bool| if b { "yes" } else { "no" }.to_string();
        let Teaching { rule, rates, source, derivative, .. } = &self.teaching;
        let small = |text: String| text.to_lowercase();
        let squash = match rule.squash {
            Squash::Tanh { beta } => format!("tanh, beta {beta:.7}"),
            Squash::Raw { reward } => format!("raw, reward {reward}"),
        };
        let mut facts = vec![
            ("experiments", self.experiments.to_string()),
            ("games", self.games.to_string()),
            ("method", format!("td-{}", small(format!("{source:?}")))),
            ("gradient", small(format!("{derivative:?}"))),
            ("types", self.scheme_word()),
            (
                "start",
                match &self.start {
                    Beginning::Set(start) => small(format!("{start:?}")),
                    Beginning::File(file) => file.clone(),
                },
            ),
            ("frozen", self.frozen.clone()),
            ("squash", squash),
            ("lambda", rule.lambda.to_string()),
            ("ramp", rule.blunders.ramp.to_string()),
            ("blunder-last", yes(rule.blunders.last)),
            ("spare-predicted", yes(rule.blunders.spare_predicted)),
            ("spare-forced", yes(rule.blunders.spare_forced)),
            ("draws", yes(self.draws)),
            ("draw-value", rule.draw.to_string()),
            ("trust-last", yes(rule.trust_last)),
            ("rate", rates.start.to_string()),
            ("step", rates.step.to_string()),
            ("decay", small(format!("{:?}", rates.decay))),
            ("half", rates.half.to_string()),
            ("descent", small(format!("{:?}", rates.descent))),
            ("most", rates.most.to_string()),
            ("nodes", self.nodes.to_string()),
            ("search", self.search.clone()),
            (
                "openings",
                match &self.opened {
                    Opened::Start => "start".to_string(),
                    Opened::Random(plies) => plies.to_string(),
                    Opened::File(path) => path.display().to_string(),
                },
            ),
            ("opponents", self.opponents.join(";")),
            ("matched", yes(self.matched)),
            ("both", yes(self.both)),
            ("batch", self.batch.to_string()),
            ("most-plies", self.most_plies.to_string()),
            ("logs", small(format!("{:?}", self.logs))),
            ("testers", self.testers.join(";")),
            ("test-games", self.test_games.to_string()),
            ("test-nodes", self.nodes_in_tests().to_string()),
            ("tests-at", self.points.iter().map(u64::to_string).collect::<Vec<_>>().join("+")),
        ];
        if self.from_start {
            facts.push(("from-start", yes(true)));
        }
        facts
    }
}
