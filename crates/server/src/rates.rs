//! How fast one client, and one address, may ask for what costs the others something.
//!
//! Every allowance begins full, gets less with each request, and fills up again with time. Clients make up their names
//! themselves, so addresses are counted too. Only allowances that are not full are remembered.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::limits::{self, Rate};
use crate::refusal::Refusal;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wish {
    /// A new match.
    Match,
    /// A new series of games between computers.
    Series,
    /// Work on a text.
    Text,
}

impl Wish {
    /// What several are called.
    fn name(self) -> &'static str {
        match self {
            Wish::Match => "new matches",
            Wish::Series => "new series",
            Wish::Text => "requests about texts",
        }
    }

    fn of_address(self) -> Rate {
        match self {
            Wish::Match => limits::MATCHES_OF_ADDRESS,
            Wish::Series => limits::SERIES_OF_ADDRESS,
            Wish::Text => limits::TEXTS_OF_ADDRESS,
        }
    }

    /// Requests about texts do not say who sends them.
    fn of_client(self) -> Option<Rate> {
        match self {
            Wish::Match => Some(limits::MATCHES_OF_CLIENT),
            Wish::Series => Some(limits::SERIES_OF_CLIENT),
            Wish::Text => None,
        }
    }
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Asker {
    Client(String),
    Address(IpAddr),
}

/// What everyone who asked lately may still ask for.
#[derive(Debug, Default)]
pub(crate) struct Rates {
    known: Mutex<HashMap<(Wish, Asker), Allowance>>,
}

impl Rates {
    /// Counts a request, or refuses it if its client or its address has asked for too much.
    pub(crate) fn admit(
        &self,
        wish: Wish,
        address: IpAddr,
        client: Option<&str>,
    ) -> Result<(), Refusal> {
        self.admit_at(Instant::now(), wish, address, client)
    }

    fn admit_at(
        &self,
        now: Instant,
        wish: Wish,
        address: IpAddr,
        client: Option<&str>,
    ) -> Result<(), Refusal> {
        let client = client.and_then(|client| {
            Some(("client", wish.of_client()?, Asker::Client(client.to_owned())))
        });
        let address = ("address", wish.of_address(), Asker::Address(network(address)));
        let askers: Vec<_> = client.into_iter().chain([address]).collect();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() + askers.len() > limits::RATES_KEPT {
            known.retain(|_, allowance| !allowance.is_full(now));
            if known.len() + askers.len() > limits::RATES_KEPT {
                let most = limits::RATES_KEPT;
                return Err(Refusal::busy(format!(
                    "more than {most} clients and addresses ask for something; try again in a moment"
                )));
            }
        }
        // Nothing is counted unless everything is allowed.
        for (who, rate, asker) in &askers {
            let allowance = known.get_mut(&(wish, asker.clone()));
            let wait = allowance.map_or(Duration::ZERO, |allowance| allowance.wait(now));
            if !wait.is_zero() {
                let Rate { at_once, per_second } = rate;
                let (what, seconds) = (wish.name(), wait.as_secs() + 1);
                let message = format!(
                    "one {who} is allowed {at_once} {what} at once and then {per_second} a second; try again in {seconds} s"
                );
                return Err(Refusal::too_fast(message, seconds));
            }
        }
        for (_, rate, asker) in askers {
            known.entry((wish, asker)).or_insert_with(|| Allowance::new(rate, now)).take();
        }
        Ok(())
    }
}

/// Whoever has an address of the newer kind has all those that begin with the same half.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        address @ IpAddr::V4(_) => address,
    }
}

/// How much may still be asked for.
#[derive(Debug)]
pub(crate) struct Allowance {
    rate: Rate,
    left: f64,
    at: Instant,
}

impl Allowance {
    pub(crate) fn new(rate: Rate, now: Instant) -> Allowance {
        Allowance { rate, left: rate.at_once, at: now }
    }

    /// How long to wait until the next request may be answered.
    pub(crate) fn wait(&mut self, now: Instant) -> Duration {
        self.left = self.left_at(now);
        self.at = now;
        Duration::from_secs_f64((1.0 - self.left).max(0.0) / self.rate.per_second)
    }

    /// Counts a request.
    pub(crate) fn take(&mut self) {
        self.left -= 1.0;
    }

    fn is_full(&self, now: Instant) -> bool {
        self.left_at(now) >= self.rate.at_once
    }

    fn left_at(&self, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        (self.left + passed * self.rate.per_second).min(self.rate.at_once)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn an_allowance_is_used_up_and_fills_up_again() {
        let (rate, now) = (Rate { at_once: 3.0, per_second: 2.0 }, Instant::now());
        let mut allowance = Allowance::new(rate, now);
        for _ in 0..3 {
            assert_eq!(allowance.wait(now), Duration::ZERO);
            allowance.take();
        }
        assert_eq!(allowance.wait(now), Duration::from_millis(500));
        assert!(!allowance.is_full(now + Duration::from_secs(1)));
        assert!(allowance.is_full(now + Duration::from_secs(2)));
        // It never gets fuller than it was.
        let later = now + Duration::from_hours(1);
        for _ in 0..3 {
            assert_eq!(allowance.wait(later), Duration::ZERO);
            allowance.take();
        }
        assert!(allowance.wait(later) > Duration::ZERO);
    }

    #[test]
    fn a_client_and_an_address_are_refused_and_others_are_not() {
        let (rates, now) = (Rates::default(), Instant::now());
        let admit = |client: &str| rates.admit_at(now, Wish::Match, HOME, Some(client));
        for _ in 0..limits::MATCHES_OF_CLIENT.at_once as usize {
            admit("one").expect("it is allowed");
        }
        let refusal = admit("one").expect_err("it is too much");
        assert!(refusal.message.contains("one client is allowed 100 new matches at once"));
        assert_eq!(refusal.retry_after, Some(1));
        // Other clients of the same address go on until it has asked for too much itself.
        let rest = limits::MATCHES_OF_ADDRESS.at_once - limits::MATCHES_OF_CLIENT.at_once;
        for number in 0..rest as usize {
            admit(&number.to_string()).expect("it is allowed");
        }
        let refusal = admit("another").expect_err("it is too much");
        assert!(refusal.message.contains("one address is allowed"), "{}", refusal.message);
        let elsewhere = IpAddr::from([10, 0, 0, 1]);
        rates.admit_at(now, Wish::Match, elsewhere, Some("another")).expect("it is allowed");
        rates.admit_at(now, Wish::Text, HOME, None).expect("it is allowed");
        let later = now + Duration::from_secs(1);
        rates.admit_at(later, Wish::Match, HOME, Some("one")).expect("it is allowed again");
    }

    #[test]
    fn what_is_full_again_is_forgotten() {
        let (rates, now) = (Rates::default(), Instant::now());
        let ask = |number: u32, at: Instant| {
            rates.admit_at(at, Wish::Text, IpAddr::from(number.to_be_bytes()), None)
        };
        let most = u32::try_from(limits::RATES_KEPT).expect("it is small");
        for number in 0..most {
            ask(number, now).expect("it is allowed");
        }
        assert_eq!(ask(most, now).expect_err("it is full").id, "busy");
        ask(most, now + Duration::from_secs(1)).expect("the others are forgotten");
    }

    #[test]
    fn addresses_of_one_network_count_as_one() {
        let of = |text: &str| network(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}
