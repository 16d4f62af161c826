//! The game-manager protocol: server and client against each other, and each against programs that misbehave.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use regulus_arena::manager::{
    ClientConfig, ClientGame, Ending, ManagerError, Misconduct, ServedGame, Server, ServerConfig,
    ServerEvent, join,
};
use regulus_game::{Config, EngineKind, Game};
use regulus_lang::{MAX_SOURCE, Source};

/// One runner each on a strip of four squares: a step towards the rival, or a pass.
const STRIP: &str = include_str!("../../lang/tests/strip.rbg");

/// Three players in turn put a stone, another one next to it, and count.
const TRIPLES: &str = "
    #players = red(1), green(1), blue(1)
    #pieces = e, r, g, b
    #variables = stones(36)
    #board = rectangle(up, down, left, right,
             [e, e, e, e, e, e] [e, e, e, e, e, e] [e, e, e, e, e, e] [e, e, e, e, e, e])
    #any = ((up* + down*)(left* + right*))
    #turn(me; c) = ->me any {e} [c] (up + down + left + right) {e} [c] [$ stones = stones+2, me=1] ->>
    #rules = (turn(red; r) turn(green; g) turn(blue; b))*
";

fn config() -> Config {
    Config { engine: EngineKind::Plan, ..Config::default() }
}

fn load(name: &str) -> Arc<Game> {
    Game::load(name, &config()).expect("it is bundled")
}

fn game(text: &str) -> Arc<Game> {
    Game::new(Source::new("test.rbg", text), &config()).expect("it has no errors")
}

fn server(game: &Arc<Game>, config: ServerConfig) -> (Server, String) {
    let server = Server::bind(Arc::clone(game), "127.0.0.1:0", config).expect("a port is free");
    let address = server.address().to_string();
    (server, address)
}

fn client(address: &str, player: &str, seed: u64) -> Result<Vec<ClientGame>, ManagerError> {
    let player = player.parse().expect("there is such a player");
    let config = ClientConfig { seed, load: config(), ..ClientConfig::new(player) };
    join(address, &config, &mut |_| ())
}

/// Serves a game to our own clients: what the server and all clients say about it.
fn play(
    game: &Arc<Game>,
    player: &str,
    config: ServerConfig,
) -> (Vec<ServedGame>, Vec<Vec<ClientGame>>) {
    let (server, address) = server(game, config);
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..game.player_count() as u64)
            .map(|seed| {
                let address = address.clone();
                scope.spawn(move || client(&address, player, seed).expect("the server is honest"))
            })
            .collect();
        let records = server.run(&mut |_| ()).expect("all clients come");
        (records, clients.into_iter().map(|client| client.join().expect("no panic")).collect())
    })
}

#[test]
fn server_and_clients_agree_about_every_move_and_result() {
    let games = [
        (load("tic_tac_toe"), "random", 5),
        (load("breakthrough"), "random", 2),
        (load("tic_tac_toe"), "uct?iterations=50", 1),
        (game(STRIP), "random", 3),
        (game(TRIPLES), "random", 3),
    ];
    for (game, player, games) in games {
        let (records, clients) =
            play(&game, player, ServerConfig { games, ..ServerConfig::default() });
        assert_eq!(records.len() as u64, games);
        for client in clients {
            assert_eq!(client.len(), records.len());
            for (record, game) in records.iter().zip(&client) {
                assert_eq!(record.moves, game.moves);
                let Ending::Over(over) = &record.ending else { panic!("{}", record.ending) };
                assert_eq!(Some(over), game.over.as_ref());
            }
        }
    }
}

#[test]
fn moves_have_all_their_steps() {
    let (records, _) = play(&game(TRIPLES), "random", ServerConfig::default());
    assert!(records[0].moves.iter().all(|played| played.steps.0.len() == 5));
    let line = records[0].log_line().expect("the game is over");
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[1], records[0].moves.len().to_string());
    assert_eq!(words[2], records[0].choices.expect("they are few").to_string());
    assert_eq!(words.len(), 6);
}

/// A client that sends and expects bytes.
struct Raw(TcpStream);

impl Raw {
    fn connect(address: &str) -> Raw {
        let stream = TcpStream::connect(address).expect("the server listens");
        // So that a test that fails ends.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("it is not zero");
        Raw(stream)
    }

    fn send(&mut self, bytes: &[u8]) -> &mut Raw {
        // The server may have closed the connection, which is what some tests are about.
        let _ = self.0.write_all(bytes);
        self
    }

    /// Reads exactly these bytes.
    fn expect(&mut self, bytes: &str) -> &mut Raw {
        let mut read = vec![0; bytes.len()];
        self.0.read_exact(&mut read).expect("the server sends all of it");
        assert_eq!(String::from_utf8_lossy(&read), bytes);
        self
    }

    /// Reads the introduction of this player, and says `ready`.
    fn begin(&mut self, number: u32) -> &mut Raw {
        self.expect(&format!("10.000000\0{STRIP}\0{number}\0")).send(b"ready\0")
    }

    /// Reads to the end, which comes without an error.
    fn end(&mut self) {
        let mut rest = Vec::new();
        self.0.read_to_end(&mut rest).expect("the connection ends cleanly");
        assert_eq!(String::from_utf8_lossy(&rest), "");
    }

    fn leave(&mut self) {
        self.0.shutdown(Shutdown::Both).expect("it is connected");
    }
}

/// Serves the strip to two raw clients.
fn serve_strip(
    config: ServerConfig,
    clients: impl FnOnce(&mut Raw, &mut Raw) + Send,
) -> Vec<ServedGame> {
    let (server, address) = server(&game(STRIP), config);
    std::thread::scope(|scope| {
        let mut red = Raw::connect(&address);
        let mut blue = Raw::connect(&address);
        scope.spawn(move || clients(&mut red, &mut blue));
        server.run(&mut |_| ()).expect("both joined")
    })
}

/// Who lost a game, and why.
fn forfeit(record: &ServedGame) -> (u32, Misconduct) {
    match &record.ending {
        Ending::Forfeit { player, misconduct, .. } => (player.0, misconduct.clone()),
        ending => panic!("{ending}"),
    }
}

#[test]
fn the_bytes_are_those_of_the_protocol() {
    let records = serve_strip(ServerConfig { games: 2, ..ServerConfig::default() }, |red, blue| {
        red.begin(1);
        blue.begin(2);
        red.expect("10.000000\0").send(b"1 3 2 4\0");
        // The cursor stays where the last move left it, so blue passes on red's square.
        blue.expect("1 3 2 4\x0010.000000\0").send(b"2 15\0");
        red.expect("2 15\x0010.000000\0");
        // Byte by byte and with other blanks; what the others get is written anew.
        for byte in b" 2  3\t3 4 \0" {
            red.send(&[*byte]);
        }
        blue.expect("2 3 3 4\x0010.000000\0").send(b"3 15\0");
        // The next game begins at once.
        red.expect("3 15\0reset\x0010.000000\0").send(b"1 6\0");
        blue.expect("reset\x001 6\x0010.000000\0").send(b"4 12 3 13\0");
        red.expect("4 12 3 13\x0010.000000\0").send(b"3 6\0");
        blue.expect("3 6\x0010.000000\0").send(b"3 15\0");
        red.expect("3 15\0reset\0").end();
        blue.expect("reset\0").end();
    });
    let wire = |record: &ServedGame| -> Vec<String> {
        record.moves.iter().map(|played| played.wire()).collect()
    };
    assert_eq!(wire(&records[0]), ["1 3 2 4", "2 15", "2 3 3 4", "3 15"]);
    assert_eq!(wire(&records[1]), ["1 6", "4 12 3 13", "3 6", "3 15"]);
    for record in records {
        let Ending::Over(over) = record.ending else { panic!("{}", record.ending) };
        assert_eq!(over.scores, [50, 50]);
    }
}

#[test]
fn messages_may_come_together_and_early() {
    let records = serve_strip(ServerConfig::default(), |red, blue| {
        red.send(b"ready\x001 3 2 4\0").expect(&format!("10.000000\0{STRIP}\x001\0"));
        blue.begin(2);
        blue.expect("1 3 2 4\x0010.000000\0").send(b"2 15\0");
        red.expect("10.000000\x002 15\x0010.000000\0").send(b"2 6\0");
        blue.expect("2 6\x0010.000000\0").send(b"2 15\0").expect("reset\0").end();
        red.expect("2 15\0reset\0").end();
    });
    assert!(matches!(records[0].ending, Ending::Over(_)), "{}", records[0].ending);
}

/// What the server says of a first player who does this when it is asked for a move.
fn misconduct(red_does: impl FnOnce(&mut Raw) + Send) -> Misconduct {
    let config = ServerConfig { games: 3, ..ServerConfig::default() };
    let records = serve_strip(config, |red, blue| {
        red.begin(1);
        blue.begin(2);
        red.expect("10.000000\0");
        red_does(red);
        // The honest client gets a clean end.
        blue.end();
    });
    assert_eq!(records.len(), 1, "no further game is played");
    let (player, misconduct) = forfeit(&records[0]);
    assert_eq!(player, 0);
    misconduct
}

#[test]
fn clients_that_misbehave_lose() {
    let sends = |bytes: &[u8]| {
        misconduct(|red| {
            red.send(bytes);
        })
    };
    assert_eq!(sends(b"1 3 2 5\0"), Misconduct::Illegal("1 3 2 5".to_owned()));
    assert_eq!(sends(b"1 3\0"), Misconduct::Illegal("1 3".to_owned()));
    assert_eq!(sends(b"4294967295 4294967295\0").id(), "illegal");
    assert_eq!(sends(b"hello\x1b\0"), Misconduct::Garbage("hello\u{fffd}".to_owned()));
    assert_eq!(sends(b"1 3 2\0"), Misconduct::Garbage("1 3 2".to_owned()));
    assert_eq!(sends(b"\xff\xfe\0"), Misconduct::Garbage("\u{fffd}\u{fffd}".to_owned()));
    assert_eq!(sends(b"\0"), Misconduct::Garbage(String::new()));
    assert_eq!(sends(b"0 4294967296\0").id(), "garbage");
    assert_eq!(sends(&[b'1'; 1 << 20]), Misconduct::TooLong);
    assert_eq!(misconduct(Raw::leave), Misconduct::Left);
}

#[test]
fn a_client_that_stops_answering_loses() {
    let deadline = Duration::from_millis(1);
    // Also the time for reading a message, so long enough for a busy machine.
    let grace = Duration::from_millis(300);
    let config = ServerConfig { deadline, grace, ..ServerConfig::default() };
    let records = serve_strip(config, |red, blue| {
        red.begin(1);
        blue.begin(2);
        red.expect("0.001000\0");
        let _ = red.0.read_to_end(&mut Vec::new());
        blue.end();
    });
    assert_eq!(forfeit(&records[0]), (0, Misconduct::Silent));
}

#[test]
fn late_answers_are_accepted_and_counted() {
    let instant = Duration::from_nanos(1);
    let config = ServerConfig {
        deadline: instant,
        preparation: instant,
        grace: Duration::from_secs(60),
        ..ServerConfig::default()
    };
    let (records, _) = play(&game(STRIP), "random", config);
    let late: u32 = records[0].late_moves.iter().sum();
    assert_eq!(late as usize, records[0].moves.len());
    assert_eq!(records[0].late_ready, [true, true]);
    let line = records[0].log_line().expect("the game is over");
    assert!(line.ends_with(" timeouts=2(lateready),2(lateready)"), "{line}");
}

#[test]
fn whoever_misbehaves_while_another_thinks_loses() {
    let blue_does = |act: fn(&mut Raw)| {
        let records = serve_strip(ServerConfig::default(), |red, blue| {
            red.begin(1);
            blue.begin(2);
            red.expect("10.000000\0");
            act(blue);
            // Red has not moved yet.
            red.end();
        });
        forfeit(&records[0])
    };
    assert_eq!(blue_does(Raw::leave), (1, Misconduct::Left));
    let floods = |blue: &mut Raw| {
        for _ in 0..100_000 {
            blue.send(b"2 15\0");
        }
    };
    assert_eq!(blue_does(floods), (1, Misconduct::OutOfTurn));
}

#[test]
fn a_client_that_does_not_get_ready_loses() {
    let blue_does = |act: fn(&mut Raw)| {
        let records = serve_strip(ServerConfig::default(), |red, blue| {
            red.begin(1);
            act(blue.expect("10.000000\0"));
            red.end();
        });
        assert_eq!(records[0].log_line(), None);
        forfeit(&records[0])
    };
    assert_eq!(blue_does(Raw::leave), (1, Misconduct::Left));
    let says = |blue: &mut Raw| {
        blue.send(b"steady\0");
    };
    assert_eq!(blue_does(says), (1, Misconduct::BadReady("steady".to_owned())));
}

#[test]
fn a_seat_is_free_again_when_its_client_leaves_before_the_others_come() {
    let (server, address) = server(&load("tic_tac_toe"), ServerConfig::default());
    std::thread::scope(|scope| {
        drop(Raw::connect(&address));
        let (mut joined, mut lost) = (0, 0);
        let mut watch = |event: &ServerEvent<'_>| match event {
            ServerEvent::Joined { .. } => joined += 1,
            ServerEvent::Lost { player, misconduct } => {
                assert_eq!((player.0, misconduct), (0, &Misconduct::Left));
                lost += 1;
                for seed in [1, 2] {
                    let address = address.clone();
                    scope.spawn(move || client(&address, "random", seed).expect("it plays"));
                }
            }
            _ => {}
        };
        let records = server.run(&mut watch).expect("two come in the end");
        assert!(matches!(records[0].ending, Ending::Over(_)));
        assert_eq!((joined, lost), (3, 1));
    });
}

#[test]
fn set_ups_that_cannot_be_used_are_told() {
    let strip = game(STRIP);
    let wait = Duration::from_millis(1);
    let (lonely, address) = server(&strip, ServerConfig { wait, ..ServerConfig::default() });
    let error = lonely.run(&mut |_| ()).expect_err("no other client comes");
    assert_eq!(error.to_string(), "0 of 2 clients joined within 0.001 seconds");
    assert!(matches!(client(&address, "random", 1), Err(ManagerError::Address { .. })));
    let other = load("gardner");
    let error = Server::bind(other, "127.0.0.1:0", ServerConfig::default()).expect_err("it is SBG");
    assert!(error.to_string().ends_with("is not RBG, the only language that clients understand"));
    let (_first, address) = server(&strip, ServerConfig::default());
    let second = Server::bind(strip, &address, ServerConfig::default());
    assert!(matches!(second, Err(ManagerError::Address { .. })));
}

#[test]
fn texts_whose_macros_name_the_players_are_sent_without_macros() {
    let list = "red(100), blue(100)";
    let text =
        STRIP.replace(&format!("#players = {list}"), &format!("#two = {list}\n#players = two"));
    let game = game(&text);
    let (server, _) = server(&game, ServerConfig::default());
    assert!(server.text().contains("#players = red(100),blue(100)"), "{}", server.text());
    let (records, clients) = play(&game, "random", ServerConfig::default());
    for client in clients {
        assert_eq!(client[0].moves, records[0].moves);
    }
}

/// What a client says about a server that sends these messages.
fn joined(messages: &[&[u8]]) -> Result<Vec<ClientGame>, ManagerError> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it listens").to_string();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let (mut stream, _) = listener.accept().expect("the client comes");
            for message in messages {
                let _ = stream.write_all(message).and_then(|()| stream.write_all(b"\0"));
            }
            let _ = stream.shutdown(Shutdown::Write);
            let _ = stream.read_to_end(&mut Vec::new());
        });
        client(&address, "random", 1)
    })
}

#[test]
fn clients_trust_no_server() {
    let strip = STRIP.as_bytes();
    let too_long = vec![b' '; MAX_SOURCE + 1];
    let cases: [(&[&[u8]], &str); 12] = [
        (&[], "the server closed the connection before it sent the time to prepare"),
        (&[b"1"], "the server closed the connection before it sent the game"),
        (&[b"soon", strip, b"1"], "the server sent `soon` as the time to prepare"),
        (&[b"1", &too_long, b"1"], "the server sent more than 4194304 bytes as the game"),
        (&[b"1", b"\xff", b"1"], "the server sent a game that is not text"),
        (&[b"1", b"#players = ", b"1"], "the game of the server has "),
        (&[b"1", strip, b"3"], "the server says that we are player `3` of 2"),
        (&[b"1", strip, b"0"], "the server says that we are player `0` of 2"),
        (&[b"1", strip, b"1", b"x"], "the server sent `x` as a deadline"),
        (&[b"1", strip, b"2", b"x"], "the server sent `x` as a move"),
        (&[b"1", strip, b"2", b"1 1"], "the server sent a move that cannot be made"),
        (&[b"1", strip, b"2", &too_long], "the server sent a message that is longer than any move"),
    ];
    for (messages, wanted) in cases {
        let error = joined(messages).expect_err(wanted).to_string();
        assert!(error.starts_with(wanted), "{error}");
    }
}

#[test]
fn a_server_may_close_the_connection_at_any_time() {
    let strip = STRIP.as_bytes();
    assert_eq!(joined(&[b"1", strip, b"2"]).expect("it may").len(), 0);
    let endless = format!("{:.6}", f64::MAX);
    let endless = endless.as_bytes();
    let games = joined(&[endless, strip, b"2", b"1 3 2 4", endless]).expect("it may");
    assert_eq!(games.len(), 1);
    assert_eq!((games[0].moves.len(), &games[0].over), (2, &None));
}
