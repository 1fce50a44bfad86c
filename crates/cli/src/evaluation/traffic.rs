//! The traffic that is evaluated, as given on the command line.

/// The keys of a flow's traffic, and a name for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Traffic {
    name: String,
    keys: String,
}

/// The controls whose rules are Linux's.
const OF_LINUX: [&str; 7] = [
    "reno",
    "cubic",
    "dctcp",
    "prague",
    "bbr",
    "bbr3",
    "bbr3_draft",
];
/// Those that take marks, without which they are Reno.
const WITH_ECN: [&str; 2] = ["dctcp", "prague"];

impl Traffic {
    /// Reads `cubic`, `bbr3, ecn = true` or `kind = "mine", rate = "1Mbps"`.
    pub(crate) fn read(text: &str) -> Result<Traffic, String> {
        let text = text.trim();
        let (first, rest) = text.split_once(',').unwrap_or((text, ""));
        let (first, rest) = (first.trim(), rest.trim());
        if first.is_empty() {
            return Err("give the name of a congestion control, such as cubic".to_owned());
        }
        if first.contains('=') {
            return Ok(Traffic {
                name: words(text),
                keys: text.to_owned(),
            });
        }
        if !first.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(format!(
                "\"{first}\" is no name of a control: it has letters, digits and _; keys follow it after a comma, \
                 or begin with kind = \"...\""
            ));
        }
        let profile = if OF_LINUX.contains(&first) {
            "linux"
        } else {
            "rfc"
        };
        let mut keys = vec![
            "kind = \"tcp\"".to_owned(),
            format!("profile = \"{profile}\""),
            format!("control = \"{first}\""),
        ];
        if WITH_ECN.contains(&first) {
            keys.push("ecn = true".to_owned());
        }
        // Keys given win over those by default.
        let given = rest.split(',').filter_map(|key| key.split_once('='));
        let given: Vec<&str> = given.map(|(key, _)| key.trim()).collect();
        keys.retain(|key| {
            !given
                .iter()
                .any(|given| key.starts_with(&format!("{given} =")))
        });
        keys.extend((!rest.is_empty()).then(|| rest.to_owned()));
        // Other keys are another evaluation, with a folder of its own.
        let name = match rest {
            "" => first.to_owned(),
            rest => format!("{first}-{}", words(rest)),
        };
        Ok(Traffic {
            name,
            keys: keys.join(", "),
        })
    }

    /// A name for folders and pages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The keys between the braces of `traffic`.
    pub(crate) fn keys(&self) -> &str {
        &self.keys
    }
}

/// The words and numbers of keys, as they may stand in the name of a folder.
fn words(keys: &str) -> String {
    let words = keys.split(|c: char| !c.is_alphanumeric() && !"_.-".contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> String {
        Traffic::read(text).expect("traffic").keys
    }

    #[test]
    fn a_name_is_a_control_of_its_profile() {
        assert_eq!(
            keys("cubic"),
            "kind = \"tcp\", profile = \"linux\", control = \"cubic\""
        );
        assert_eq!(
            keys("mine"),
            "kind = \"tcp\", profile = \"rfc\", control = \"mine\""
        );
        assert!(keys("prague").ends_with("ecn = true"));
    }

    #[test]
    fn keys_that_are_given_win() {
        let keys = keys("cubic, profile = \"rfc\", ecn = true");
        assert_eq!(
            keys,
            "kind = \"tcp\", control = \"cubic\", profile = \"rfc\", ecn = true"
        );
    }

    #[test]
    fn any_traffic_can_be_given_by_its_keys() {
        let traffic = Traffic::read("kind = \"quinn\", control = \"bbr\"").expect("traffic");
        assert_eq!(traffic.name(), "kind-quinn-control-bbr");
        assert_eq!(traffic.keys(), "kind = \"quinn\", control = \"bbr\"");
    }

    #[test]
    fn other_keys_have_another_name() {
        let name = |text: &str| Traffic::read(text).expect("traffic").name;
        assert_eq!(name("bbr3"), "bbr3");
        assert_eq!(name("bbr3, ecn = true"), "bbr3-ecn-true");
        assert_eq!(name("mine, gain = 1.5"), "mine-gain-1.5");
        assert_ne!(name("mine, gain = -1"), name("mine, gain = 1"));
    }

    #[test]
    fn other_texts_are_refused() {
        assert!(Traffic::read(" ").is_err());
        let slash = Traffic::read("../cubic").expect_err("no name");
        assert!(slash.contains("\"../cubic\" is no name"), "{slash}");
    }
}
