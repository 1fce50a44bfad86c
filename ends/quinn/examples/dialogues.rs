//! An application over quinn: clients ask for data and servers send them. `over` in a scenario says what
//! carries its messages, so that the same application compares quinn with TCP.

use std::process::ExitCode;

use pacesim_app::application::{Application, Message, News, Role, Write};
use pacesim_app::random::{Distribution, Stream, samplers::Exponential};
use pacesim_app::units::{Bytes, Span, Time};
use pacesim_app::{Parts, keys, main_with};

keys! {
    /// Questions and answers, one after the other.
    pub struct Keys "dialogues" {
        question: Bytes, (= "400B"), "The size of a question.", "2KB";
        answer: Bytes, (= "30KB"), "The size of an answer.", "1MB";
        think: Span, (= "100ms"), "The mean time from an answer to the next question, exponential.", "1s";
    }
}

struct Client {
    keys: Keys,
    random: Stream,
    asked: Time,
    answers: u32,
    waited_s: f64,
}

impl Client {
    fn think(&mut self) -> Span {
        let drawn = Exponential::with_mean(self.keys.think.as_ps() as f64);
        let drawn = drawn.map(|of| of.sample(&mut self.random));
        Span::from_ps_f64(drawn.unwrap_or(0.0)).unwrap_or(Span::ZERO)
    }
}

impl Application for Client {
    fn told(&mut self, now: Time, news: News) -> Option<Write> {
        match news {
            News::Start => {}
            News::Arrived(_) => {
                self.answers += 1;
                self.waited_s += now.saturating_since(self.asked).as_secs_f64();
            }
            _ => return None,
        }
        let think = self.think();
        self.asked = now + think;
        let (size, word) = (self.keys.question, self.keys.answer.get());
        Some(Write::after(think, Message { size, word }))
    }

    fn numbers(&self) -> Vec<Option<f64>> {
        vec![(self.answers > 0).then(|| self.waited_s / f64::from(self.answers))]
    }
}

struct Server;

impl Application for Server {
    fn told(&mut self, _now: Time, news: News) -> Option<Write> {
        let News::Arrived(question) = news else {
            return None;
        };
        Some(Write::now(Message::new(Bytes(question.word))))
    }
}

fn new(keys: &Keys, role: Role) -> Box<dyn Application> {
    if !role.is_client {
        return Box::new(Server);
    }
    Box::new(Client {
        keys: keys.clone(),
        random: role.stream,
        asked: Time::ZERO,
        answers: 0,
        waited_s: 0.0,
    })
}

/// The parts of the program: quinn, and the application.
pub(crate) fn parts() -> Parts {
    pacesim_quinn::parts().application(&["response_s"], new)
}

fn main() -> ExitCode {
    main_with(parts())
}
