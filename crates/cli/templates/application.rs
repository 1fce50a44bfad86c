//! An application: clients ask, wait for the answer, and think; a server answers after a while.
use pacesim_app::application::{Application, Message, News, Role, Write};
use pacesim_app::random::{Distribution, Stream, samplers::Exponential};
use pacesim_app::units::{Bytes, Span, Time};
use pacesim_app::{Parts, keys, laws, main_with};

keys! {
    /// Request, think, answer.
    pub struct Keys "own_application" {
        request: Bytes, (= "500B"), "The size of a request.", "2KB";
        answer: Bytes, (= "50KB"), "The mean size of an answer, exponential.", "1MB";
        service: Span, (= "5ms"), "The time from a request's arrival to its answer.", "1ms";
        think: Span, (= "100ms"), "The mean time from an answer to the next request, exponential.", "1s";
    }
}

struct Client {
    keys: Keys,
    random: Stream,
    asked: Time,
    answers: u32,
    waited: f64,
}
impl Client {
    fn draw(&mut self, mean: u64) -> f64 {
        let drawn = Exponential::with_mean(mean as f64).map(|of| of.sample(&mut self.random));
        drawn.unwrap_or(0.0)
    }
}
impl Application for Client {
    fn told(&mut self, now: Time, news: News) -> Option<Write> {
        match news {
            News::Start => {}
            News::Arrived(_) => {
                self.answers += 1;
                self.waited += now.saturating_since(self.asked).as_secs_f64();
            }
            _ => return None,
        }
        let think = Span::from_ps_f64(self.draw(self.keys.think.as_ps()))?;
        self.asked = now + think;
        // The request says how large its answer is to be.
        let word = 1 + self.draw(self.keys.answer.get()) as u64;
        let size = self.keys.request;
        Some(Write::after(think, Message { size, word }))
    }
    fn numbers(&self) -> Vec<Option<f64>> {
        let mean = self.waited / f64::from(self.answers);
        vec![(self.answers > 0).then_some(mean)]
    }
}

struct Server(Keys);
impl Application for Server {
    fn told(&mut self, _now: Time, news: News) -> Option<Write> {
        let News::Arrived(request) = news else {
            return None;
        };
        let answer = Message::new(Bytes(request.word));
        Some(Write::after(self.0.service, answer))
    }
}

fn new(keys: &Keys, role: Role) -> Box<dyn Application> {
    if !role.is_client {
        return Box::new(Server(keys.clone()));
    }
    Box::new(Client {
        keys: keys.clone(),
        random: role.stream,
        asked: Time::ZERO,
        answers: 0,
        waited: 0.0,
    })
}
fn main() -> std::process::ExitCode {
    main_with(Parts::new().application(&["response_s"], new))
}
laws!(application, &["response_s"], new);
