//! `regulus serve` as browsers and programs see it: a real process, real sockets, and kill -9.

mod served;

use std::fs;
use std::path::Path;
use std::process::Command;

use regulus_arena::Transcript;
use regulus_game::{Config, Game};
use serde_json::{Value, json};
use served::{Served, Socket, client};

/// A match of a bundled game between persons that are all this client.
fn hot_seat(served: &Served, name: &str) -> (String, Socket) {
    let card = served.get(&format!("/api/games/{name}"));
    let seats: Vec<&str> =
        card["players"].as_array().into_iter().flatten().map(|_| "person").collect();
    let id = served.create(&json!({ "name": name }), &seats, &client(1));
    let socket = served.socket(&id, &client(1));
    (id, socket)
}

/// Builds a move by the n-th choice at each step; returns the next state.
fn build_move(socket: &mut Socket, state: &Value, mut number: usize) -> Value {
    let mut actions: Vec<u64> = Vec::new();
    loop {
        socket.send(&json!({ "type": "choose", "node": state["node"], "actions": actions }));
        let mut answer = socket.next(&["choices", "state"]);
        // Others may come and go meanwhile.
        while answer["type"] == "state" && answer["node"] == state["node"] {
            answer = socket.next(&["choices", "state"]);
        }
        if answer["type"] == "state" {
            return answer;
        }
        let choices = answer["choices"].as_array().expect("choices");
        if choices.is_empty() && answer["complete"] == false {
            // Several moves look the same to the end; they are told apart by their names.
            let name = &answer["landings"][0]["moves"][1];
            assert!(name.is_string(), "a move that cannot go on is complete: {answer}");
            socket.send(&json!({ "type": "play", "node": state["node"], "move": name }));
            return socket.until(|now| now["node"] != state["node"]);
        }
        if choices.is_empty() || (answer["complete"] == true && number.is_multiple_of(3)) {
            assert_eq!(answer["complete"], true, "a move that cannot go on is complete: {answer}");
            socket.send(&json!({ "type": "play", "node": state["node"], "actions": actions }));
            return socket.until(|now| now["node"] != state["node"]);
        }
        actions.push(choices[number % choices.len()]["action"].as_u64().expect("a number"));
        number = number / 2 + 7;
    }
}

#[test]
fn a_game_against_the_computer_is_played_to_its_end() {
    let served = Served::start(None);
    let seats = ["person", "uct?iterations=200"];
    let id = served.create(&json!({ "name": "tic_tac_toe" }), &seats, &client(1));
    let mut socket = served.socket(&id, &client(1));
    let mut state = socket.next(&["state"]);
    let mut own = 0;
    while state["position"]["over"].is_null() {
        if state["position"]["player"] == 0 {
            own += 1;
            state = build_move(&mut socket, &state, own);
        } else {
            state = socket.next(&["state"]);
        }
    }
    assert!((3..=5).contains(&own), "{own} moves of the person");
    let text = state["position"]["text"].as_str().expect("a sentence");
    assert!(text.contains("three in a row") || text.contains("full"), "{text}");
    // What the server keeps of the game is a transcript as all others.
    let text = served.body(&format!("/api/matches/{id}/transcript"));
    let transcript = Transcript::read(&text).expect("a transcript");
    let game = Game::load(&transcript.game, &Config::default()).expect("it names its game");
    let play = transcript.replay(&game, &mut |_, _| Ok(())).expect("its moves are legal");
    assert_eq!(play.outcome().to_string(), state["position"]["text"]);
    assert_eq!(transcript.players[1], ("noughts".to_owned(), "uct?iterations=200".to_owned()));
    let nodes = state["nodes"].as_array().expect("nodes");
    assert!(nodes.iter().all(|node| node["id"].as_u64() > Some(0)), "only new nodes are sent");
}

#[test]
fn every_bundled_game_can_be_played_by_choices() {
    let served = Served::start(None);
    let games = served.get("/api/games");
    let games = games["games"].as_array().expect("games");
    assert!(games.len() > 50);
    let mut moves = 0;
    for game in games {
        let name = game["name"].as_str().expect("a name");
        let (_, mut socket) = hot_seat(&served, name);
        let mut state = socket.next(&["state"]);
        for number in 0..12 {
            if !state["position"]["over"].is_null() {
                break;
            }
            let before = state["node"].clone();
            state = build_move(&mut socket, &state, number * 5 + 1);
            assert_ne!(state["node"], before, "{name} goes on");
            moves += 1;
        }
    }
    assert!(moves > 500, "only {moves} moves were made");
}

/// A king is taken up to step or to castle: one choice. Castling is played by pressing the square where the king ends.
#[test]
fn moves_that_begin_alike_are_one_choice() {
    let served = Served::start(None);
    let (_, mut socket) = hot_seat(&served, "chess");
    let mut state = socket.next(&["state"]);
    for name in ["e2-e4", "e7-e5", "g1-f3", "b8-c6", "f1-c4", "f8-c5"] {
        socket.send(&json!({ "type": "play", "node": state["node"], "move": name }));
        state = socket.until(|now| now["node"] != state["node"]);
    }
    let mut choose = |actions: &[u64]| {
        socket.send(&json!({ "type": "choose", "node": 6, "actions": actions }));
        let answer = socket.next(&["choices"]);
        let choices = answer["choices"].as_array().expect("choices").clone();
        (choices, answer)
    };
    // White's pieces that can move, each once: five pawns with room before them, knights, bishop, rook, queen and king.
    let (origins, _) = choose(&[]);
    let mut squares: Vec<u64> =
        origins.iter().map(|choice| choice["square"].as_u64().expect("a square")).collect();
    squares.sort_unstable();
    assert!(squares.is_sorted_by(|one, other| one < other), "{squares:?}");
    let king = origins.iter().find(|choice| choice["square"] == 60).expect("the king on e1");
    let (steps, answer) = choose(&[king["action"].as_u64().expect("a number")]);
    assert_eq!((steps.len(), &answer["complete"]), (2, &json!(false)), "e2 and f1: {steps:?}");
    assert_eq!(answer["landings"], json!([{ "square": 62, "moves": ["e1-h1-f1-g1"] }]));
    socket.send(&json!({ "type": "play", "node": 6, "move": "e1-h1-f1-g1" }));
    state = socket.until(|now| now["node"] == 7);
    assert_eq!(state["position"]["player"], 1);
}

#[test]
fn computers_meet_in_the_background() {
    let served = Served::start(None);
    let start = |players: &[&str], games: u32| {
        served.post(
            "/api/series",
            &json!({ "game": { "name": "tic_tac_toe" }, "players": players, "games": games, "client": client(1) }),
        )
    };
    let (status, mut series) = start(&["uct?iterations=300", "random"], 20);
    assert_eq!(status, 201);
    while series["over"] == false {
        std::thread::sleep(std::time::Duration::from_millis(20));
        series = served.get(&format!("/api/series/{}", series["id"].as_str().expect("a name")));
    }
    assert_eq!((&series["played"], &series["notice"]), (&json!(20), &Value::Null));
    let points = |number: usize| series["scores"][number]["points"].as_f64().expect("points");
    assert_eq!(points(0) + points(1), 20.0);
    assert!(points(0) > 15.0, "{}", series["scores"]);
    assert!((5..=9).contains(&series["plies"]["least"].as_u64().expect("a length")));
    let choices = series["choices"].as_f64().expect("a number");
    assert!((3.0..9.0).contains(&choices), "{choices} legal moves");
    // Each opening is played from both seats.
    assert_eq!(series["results"][0]["players"], json!([0, 1]));
    assert_eq!(series["results"][1]["players"], json!([1, 0]));

    // A long one is ended by who started it, and by nobody else.
    let (_, long) = start(&["uct?iterations=20000", "uct?iterations=20000"], 200);
    let end = format!("/api/series/{}/end", long["id"].as_str().expect("a name"));
    assert_eq!(served.post(&end, &json!({ "client": client(2) })).0, 403);
    assert_eq!(served.post(&end, &json!({ "client": client(1) })).0, 200);
    let mut now = long;
    while now["over"] == false {
        std::thread::sleep(std::time::Duration::from_millis(20));
        now = served.get(&format!("/api/series/{}", now["id"].as_str().expect("a name")));
    }
    assert!(now["played"].as_u64() < Some(200));

    for (players, games, why) in [
        (&["random"][..], 4, "the game has 2 players, but 1 are given"),
        (&["random", "random"], 0, "`games` is 0; it can be from 1 to 200"),
        (&["random", "uct?threads=8"], 4, "`threads` is 8; at most 1 is allowed here"),
    ] {
        let (status, refused) = start(players, games);
        assert_eq!((status, &refused["error"]["message"]), (400, &json!(why)));
    }
}

#[test]
fn moves_survive_the_end_of_the_server() {
    let folder = std::env::temp_dir().join(format!("regulus-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let data = folder.join("matches.sqlite");
    let mut served = Served::start(Some(&data));
    let (id, mut socket) = hot_seat(&served, "breakthrough");
    let mut state = socket.next(&["state"]);
    for round in 0..8 {
        for number in 0..3 {
            state = build_move(&mut socket, &state, round * 3 + number);
        }
        served.kill();
        served.restart(&data);
        socket = served.socket(&id, &client(1));
        let again = socket.next(&["state"]);
        assert_eq!(again["position"], state["position"], "round {round}");
        assert_eq!(again["node"], (round + 1) * 3);
        assert_eq!(again["nodes"].as_array().map(Vec::len), Some(round * 3 + 4));
        state = again;
    }
    // Another game is played from an earlier position, beside the first.
    socket.send(&json!({ "type": "goto", "node": 2 }));
    state = socket.next(&["state"]);
    state = build_move(&mut socket, &state, 40);
    assert_eq!(state["nodes"][0]["parent"], 2);
    served.kill();
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn two_browsers_play_and_a_third_looks_on() {
    let served = Served::start(None);
    let id = served.create(&json!({ "name": "hex" }), &["person", "free"], &client(1));
    let mut first = served.socket(&id, &client(1));
    let mut second = served.socket(&id, &client(2));
    let mut third = served.socket(&id, &client(3));
    second.send(&json!({ "type": "take", "seat": 1 }));
    let state = second.until(|state| state["seats"][1]["mine"] == true);
    assert_eq!(state["seats"][0]["mine"], false);
    third.send(&json!({ "type": "take", "seat": 1, "seq": 5 }));
    let refused = third.next(&["refused"]);
    assert_eq!((refused["seq"].as_u64(), refused["id"].as_str()), (Some(5), Some("forbidden")));
    let state = first.until(|state| state["seats"][1]["free"] == false);
    let after = build_move(&mut first, &state, 3);
    let seen = second.until(|state| state["node"] == after["node"]);
    assert_eq!(seen["position"], after["position"]);
    // It is the turn of the second player, not of the first or of one who looks on.
    for (socket, message) in [(&mut first, "someone else's turn"), (&mut third, "looking on")] {
        socket.send(&json!({ "type": "choose", "node": after["node"], "actions": [] }));
        let refused = socket.next(&["refused"]);
        let said = refused["message"].as_str().unwrap_or_default();
        assert!(said.contains(message), "{said}");
    }
    let last = build_move(&mut second, &seen, 11);
    third.until(|state| state["node"] == last["node"]);
}

#[test]
fn bad_requests_get_sentences() {
    let served = Served::start(None);
    let refused = |path: &str, body: Value| served.post(path, &body);
    let text = json!({ "text": "#players = white(1), black(1)\n#pieces = e, w\n#variables =\n#board = rectangle(up, down, \
        left, right, [e, w])\n#rules = ->white rigth {e} [w] ->> {}" });
    let (status, found) = refused("/api/check", text.clone());
    assert_eq!(status, 200);
    let finding = &found["diagnostics"][0];
    assert_eq!(finding["id"], "rbg-unknown-name");
    assert_eq!(finding["fix"]["text"], "right");
    let create = |game: Value, seats: Value, who: &str| {
        refused("/api/matches", json!({ "game": game, "seats": seats, "client": who }))
    };
    let me = client(1);
    let cases = [
        (
            create(json!({ "name": "ches" }), json!(["person", "person"]), &me),
            404,
            "did you mean `chess`?",
        ),
        (create(json!({ "name": "chess" }), json!(["person"]), &me), 400, "has 2 players"),
        (
            create(json!({ "name": "chess" }), json!(["person", "hal"]), &me),
            400,
            "there is no player `hal`",
        ),
        (
            create(json!({ "name": "chess" }), json!(["person", "uct?threads=9"]), &me),
            400,
            "at most 1",
        ),
        (
            create(json!({ "name": "chess" }), json!(["person", "auto?learning=2"]), &me),
            400,
            "`learning` is 2; at most 1",
        ),
        (create(json!({ "name": "chess" }), json!(["person", "person"]), "x"), 400, "16 to 64"),
        (create(text, json!(["person", "person"]), &me), 422, "no direction `rigth`"),
        (refused("/api/matches", json!("chess")), 422, "not understood: invalid type"),
        (create(json!({ "names": "chess" }), json!([]), &me), 422, "unknown field `names`"),
        (create(json!({}), json!([]), &me), 422, "either a `name`"),
        (refused("/api/nothing", json!({})), 404, "nothing at /api/nothing"),
        (refused("/api/generate", json!({ "properties": { "board_size": 7 } })), 400, "board_size"),
    ];
    for ((status, answer), wanted, words) in cases {
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(
            status == wanted && message.contains(words),
            "{status} {answer}, not {wanted} {words}"
        );
    }
    let other =
        served.request("POST", "/api/generate", "{}", "origin: http://elsewhere.example\r\n");
    assert!(other.starts_with("HTTP/1.1 403"), "{other}");
    let page = served.request("GET", "/", "", "");
    assert!(page.contains("content-security-policy: default-src 'none'"), "{page}");
}

/// The status, the headers and the body of an answer.
fn parts(answer: &str) -> (u16, &str, Value) {
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("a status"), head, serde_json::from_str(body).unwrap_or_default())
}

#[test]
fn addresses_answer_to_the_methods_that_are_described() {
    let served = Served::start(None);
    let document = served.get("/api/openapi.json");
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() > 10);
    for (path, operations) in paths {
        let path = path.replace("{name}", "chess").replace("{id}", "abcdefghijkm");
        let methods: Vec<String> = operations
            .as_object()
            .expect("an object")
            .keys()
            .filter(|key| *key != "parameters")
            .flat_map(|key| if key == "get" { vec!["GET", "HEAD"] } else { vec!["POST"] })
            .map(str::to_owned)
            .collect();
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"] {
            let answer = served.request(method, &path, "{}", "");
            let (status, head, body) = parts(&answer);
            if methods.iter().any(|described| described == method) {
                assert_ne!(status, 405, "{method} {path}");
                continue;
            }
            assert_eq!(status, 405, "{method} {path}");
            assert!(body["error"]["message"].is_string() || method == "HEAD", "{answer}");
            let allow = head.lines().find_map(|line| line.strip_prefix("allow: "));
            let mut allowed: Vec<&str> = allow.expect("a list").split(',').collect();
            allowed.sort_unstable();
            assert_eq!(allowed, methods, "{path}");
        }
    }
    assert_eq!(parts(&served.request("PUT", "/index.html", "", "")).0, 405);
    assert_eq!(parts(&served.request("PUT", "/api/nothing", "", "")).0, 404);
}

#[test]
fn every_refusal_has_the_same_form() {
    let served = Served::start(None);
    let id = served.create(&json!({ "name": "hex" }), &["person", "person"], &client(1));
    let socket = format!("/api/matches/{id}/socket?client={}", client(1));
    let automaton = |turn: usize| json!({ "game": { "name": "hex" }, "turn": turn }).to_string();
    let none = String::new;
    let cases = [
        ("POST", "/api/check", "{".to_owned(), 400, "not understood"),
        ("POST", "/api/check", "[\"\"]".to_owned(), 422, "expected a map"),
        ("POST", "/api/generate", "{\"properties\": []}".to_owned(), 422, "expected a map"),
        ("POST", "/api/generate", "{\"seed\": 9007199254740992}".to_owned(), 400, "at most"),
        ("POST", "/api/guide", "{\"game\": {\"name\": null}}".to_owned(), 422, "expected a string"),
        ("POST", "/api/automaton", automaton(0), 400, "there is no turn 0"),
        ("POST", "/api/automaton", automaton(99), 400, "the game has turns 1 to"),
        ("GET", "/api/games/%ff", none(), 400, "UTF-8"),
        ("GET", "/api/games/hex/board.svg?theme=dark&theme=dark", none(), 400, "duplicate field"),
        ("GET", "/api/games/hex/board.svg?theme=blue", none(), 400, "no theme `blue`"),
        ("GET", "/api", none(), 404, "nothing at /api"),
        ("GET", "/api/matches/abcdefghijkm", none(), 404, "no such match"),
        ("GET", socket.as_str(), none(), 426, "WebSocket"),
    ];
    for (method, path, body, wanted, words) in cases {
        let answer = served.request(method, path, &body, "");
        let (status, head, body) = parts(&answer);
        let message = body["error"]["message"].as_str().unwrap_or_default();
        assert!(status == wanted && message.contains(words), "{method} {path}: {answer}");
        assert!(head.contains("content-type: application/json"), "{answer}");
    }
}

#[test]
fn a_client_that_begins_too_many_matches_is_told_how_many_are_allowed() {
    let served = Served::start(None);
    let request = |client: &str| {
        let game = json!({ "name": "tic_tac_toe" });
        json!({ "game": game, "seats": ["person", "person"], "client": client }).to_string()
    };
    // Meanwhile some more are allowed.
    let answer = (0..2_000)
        .map(|_| served.request("POST", "/api/matches", &request(&client(1)), ""))
        .find(|answer| !answer.starts_with("HTTP/1.1 201"))
        .expect("at some time it is too much");
    let (status, head, body) = parts(&answer);
    assert_eq!((status, &body["error"]["id"]), (429, &json!("too-fast")), "{answer}");
    let message = body["error"]["message"].as_str().expect("a message");
    assert!(message.contains("100 new matches at once and then 2 a second"), "{message}");
    let wait = head.lines().find_map(|line| line.strip_prefix("retry-after: ")).expect("a header");
    assert!(wait.parse::<u32>().is_ok_and(|seconds| seconds > 0), "{wait}");
    // Another client is not concerned.
    let answer = served.request("POST", "/api/matches", &request(&client(2)), "");
    assert_eq!(parts(&answer).0, 201, "{answer}");
}

#[test]
fn pictures_are_compressed_for_those_who_can_read_that() {
    let served = Served::start(None);
    let path = "/api/games/chess/board.svg?theme=dark";
    let plain = served.request("GET", path, "", "");
    let packed = served.request("GET", path, "", "accept-encoding: gzip, br\r\n");
    assert!(plain.contains("<svg ") && !plain.contains("content-encoding"), "{plain}");
    assert!(packed.contains("content-encoding: gzip\r\n"));
    let length = |answer: &str| {
        let head = parts(answer).1.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        length.and_then(|length| length.parse::<usize>().ok()).expect("a length")
    };
    assert!(length(&packed) * 3 < length(&plain));
}

#[test]
fn hostile_games_are_refused_and_others_go_on() {
    let served = Served::start(None);
    let deep = format!("#players = a(1)\n#rules = {}", "(".repeat(100_000));
    let fill = "#players = a(1)\n#pieces = e, x\n#variables =\n#board = rectangle(up, down, left, right, \
        [e,e,e,e,e,e][e,e,e,e,e,e][e,e,e,e,e,e][e,e,e,e,e,e][e,e,e,e,e,e][e,e,e,e,e,e])\n\
        #rules = ->a ((left* + right*)(up* + down*) {e} [x])* ->> {}";
    let keeper = "#players = a(1)\n#pieces = e, x\n#variables =\n#board = rectangle(up, down, left, right, [e,e])\n\
        #rules = ->> ([x] ->> [e] ->>)*";
    for text in [deep.as_str(), fill, keeper] {
        let request = json!({ "game": { "text": text }, "seats": ["person"], "client": client(1) });
        let (status, answer) = served.post("/api/matches", &request);
        if status == 201 {
            // The game can be begun, but its moves cannot be listed; they can be built.
            let id = answer["id"].as_str().expect("an id").to_owned();
            let mut socket = served.socket(&id, &client(1));
            socket.next(&["state"]);
            socket.send(&json!({ "type": "play", "node": 0, "move": "a1" }));
            socket.next(&["refused"]);
        } else {
            assert!((400..500).contains(&status), "{status} {answer}");
        }
    }
    let (_, mut socket) = hot_seat(&served, "chess");
    let state = socket.next(&["state"]);
    build_move(&mut socket, &state, 3);
}

/// A small game that is not bundled: two players go forward in turn, and who is first at the other side wins.
const RACE: &str = "#players = white(1), black(1)\n#pieces = e, w, b\n#variables =\n\
    #board = rectangle(up, down, left, right, [b,b,b,b][e,e,e,e][e,e,e,e][w,w,w,w])\n\
    #any = (left* + right*)(up* + down*)\n\
    #turn(me; mine; foe; forward; other) = any {mine} [e] forward ({e} + (left + right) {e, foe}) [mine]\n\
    ({! forward} [$ me = 1, other = 0] ->> {} + {? forward} ->other)\n\
    #rules = ->white (turn(white; w; b; up; black) turn(black; b; w; down; white))*\n";

#[test]
fn levels_are_those_of_auto() {
    let served = Served::start(None);
    let levels = served.get("/api/players")["levels"].clone();
    let players: Vec<&str> = levels
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|level| level["player"].as_str())
        .collect();
    let wanted: Vec<String> = (1..=10).map(|level| format!("auto?level={level}")).collect();
    assert_eq!(players, wanted);
}

#[test]
fn auto_learns_a_game_once_and_says_whom_it_chose() {
    let served = Served::start(None);
    let begin = || {
        let game = json!({ "name": "breakthrough_5x5" });
        let id = served.create(&game, &["auto?level=7", "person"], &client(1));
        served.socket(&id, &client(1))
    };
    let mut socket = begin();
    socket.until(|state| state["learning"] == true && state["thinking"] == 0);
    let evaluation = socket.next(&["evaluation"]);
    assert_eq!(evaluation["player"], "auto?level=7");
    let about = evaluation["about"].as_str().expect("a reason");
    assert!(about.contains("points against"), "{about}");
    socket.until(|state| state["node"] == 1 && state["learning"] == false);
    // In the next match nothing is learnt any more.
    let mut socket = begin();
    loop {
        let state = socket.next(&["state"]);
        assert_eq!(state["learning"], false, "{state}");
        if state["node"] == 1 {
            break;
        }
    }
    // An analysis is by `auto` as well, and only the best moves are compared.
    socket.send(&json!({ "type": "analyze", "on": true }));
    let evaluation = loop {
        let evaluation = socket.next(&["evaluation"]);
        if evaluation["seat"].is_null() && evaluation["depth"].as_u64() > Some(2) {
            break evaluation;
        }
    };
    assert_eq!(evaluation["player"], "auto");
    let moves = evaluation["moves"].as_array().expect("moves");
    assert_eq!(moves[0]["bound"], false);
    assert!(moves.len() > 4 && moves.iter().all(|one| one["value"].is_number()), "{evaluation}");
}

#[test]
fn it_is_told_what_pieces_are_worth() {
    let served = Served::start(None);
    for game in [json!({ "name": "breakthrough_5x5" }), json!({ "text": RACE })] {
        let (status, worth) = served.post("/api/eval", &json!({ "game": game }));
        assert_eq!(status, 200, "{worth}");
        assert!(worth["sentences"][0].as_str().is_some_and(|text| text.ends_with('.')), "{worth}");
        let pieces = worth["pieces"].as_array().expect("pieces");
        assert_eq!(pieces.len(), 2, "{worth}");
        for (owner, piece) in pieces.iter().enumerate() {
            assert_eq!(piece["owner"], owner);
            let svg = piece["svg"].as_str().expect("a picture");
            assert!(svg.contains("fill-opacity") && svg.contains("var(--board-cell-1)"), "{svg}");
        }
        assert_eq!(served.post("/api/eval", &json!({ "game": game })), (200, worth));
    }
    let (status, answer) = served.post("/api/eval", &json!({ "game": { "text": "#players" } }));
    assert!((400..500).contains(&status) && answer["error"]["message"].is_string(), "{answer}");
}

/// Texts that take as long to learn as they can wait for each other, and not others for them: what is beyond the line is told
/// so, and a computer answers in a bundled game meanwhile.
#[test]
fn texts_that_are_slow_to_learn_keep_no_one_else_waiting() {
    let served = Served::start(None);
    let slow = |width: usize| {
        let row = format!("[{}]", vec!["e"; width].join(","));
        format!(
            "#players = a(1), b(1)\n#pieces = e, x, y\n#variables =\n#board = rectangle(up, down, left, right, {})\n\
            #any = (left* + right*)(up* + down*)\n\
            #rules = ->a (any {{e}} [x] any {{e}} [x] ->b any {{e}} [y] any {{e}} [y] ->a)*\n",
            row.repeat(12)
        )
    };
    let mut sockets = Vec::new();
    for number in 0..12 {
        let game = json!({ "text": slow(8 + number) });
        let id = served.create(&game, &["auto", "auto"], &client(number));
        sockets.push(served.socket(&id, &client(number)));
    }
    let mut refused = 0;
    for socket in &mut sockets {
        let state = socket.until(|state| state["learning"] == true || !state["notice"].is_null());
        let notice = state["notice"].as_str().unwrap_or_default();
        refused += usize::from(notice.contains("many games are being learnt"));
    }
    assert!((1..12).contains(&refused), "{refused} of 12 were not taken");
    let id =
        served.create(&json!({ "name": "tic_tac_toe" }), &["auto?level=9", "person"], &client(1));
    served.socket(&id, &client(1)).until(|state| state["position"]["player"] == 1);
    let (_, mut socket) = hot_seat(&served, "chess");
    let state = socket.next(&["state"]);
    build_move(&mut socket, &state, 3);
}

#[test]
fn nets_of_a_folder_are_opponents_and_their_reports_are_shown() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("served-nets");
    // It is not there unless the test was run before.
    let _ = fs::remove_dir_all(&place);
    let run = place.join("first run");
    let train = "train breakthrough_4x4 --iterations 1 --set games=4 --set nodes=4 --set sums=4 --set measure=0 --output";
    let trained = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .args(train.split(' '))
        .arg(&run)
        .env("XDG_CACHE_HOME", place.join("cache"))
        .output();
    assert!(trained.expect("it starts").status.success(), "a net is trained");
    let folder = place.to_str().expect("UTF-8");
    let data = place.join("matches.sqlite");
    let mut served = Served::start_with(Some(&data), &["--nets", folder]);
    let kinds = served.get("/api/players")["kinds"].clone();
    let net = |kind: &&Value| kind["name"] == "net:first run/best";
    let net = kinds.as_array().into_iter().flatten().find(net).expect("it is listed");
    let about = net["about"].as_str().expect("words");
    assert_eq!(about, "a net for breakthrough_4x4: 4 sums × 8 stages, trained for 1 iteration");
    // It is a player of its game, and says nothing about where it is.
    let card = served.get("/api/games/breakthrough_4x4");
    assert_eq!(net["game"], card["game"]);
    let seats = ["person", "net:first run/best?iterations=50"];
    let id = served.create(&json!({ "name": "breakthrough_4x4" }), &seats, &client(1));
    let mut socket = served.socket(&id, &client(1));
    let state = socket.next(&["state"]);
    assert_eq!(state["seats"][1]["player"], seats[1]);
    build_move(&mut socket, &state, 1);
    let state = socket.until(|now| now["position"]["player"] == 0);
    assert!(state["notice"].is_null(), "the net has moved: {state}");
    let refused = |game: &str, player: &str| {
        let seats = ["person", player];
        let request = json!({ "game": { "name": game }, "seats": seats, "client": client(1) });
        let (status, answer) = served.post("/api/matches", &request);
        assert_eq!(status, 400, "{answer}");
        answer["error"]["message"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(
        refused("chess", "net:first run/best"),
        "first run/best: this is the net of another game, \"breakthrough_4x4\""
    );
    assert_eq!(refused("chess", "net:../secret"), "there is no net `../secret` here");
    // The report is a page that needs nothing else.
    let path = format!("/api/runs/{}", net["run"].as_str().expect("a run").replace(' ', "%20"));
    let answer = served.request("GET", &path, "", "");
    assert!(answer.contains("style-src 'unsafe-inline'") && answer.contains("<svg"), "{answer}");
    assert!(served.request("GET", "/api/runs/..", "", "").starts_with("HTTP/1.1 404"));
    // Without the net, the match goes on with a free seat.
    served.kill();
    let served = Served::start(Some(&data));
    let state = served.socket(&id, &client(1)).next(&["state"]);
    assert_eq!((&state["seats"][1]["free"], &state["node"]), (&json!(true), &json!(2)));
}

#[test]
fn nets_are_looked_for_in_folders_that_are_there() {
    let served = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .args(["serve", "--no-data", "--no-open", "--nets", "no-such-folder"])
        .output()
        .expect("it starts");
    let words = String::from_utf8_lossy(&served.stderr);
    assert!(
        words.contains("no-such-folder: this is no folder; --nets is one with nets"),
        "{words}"
    );
    assert_eq!(served.status.code(), Some(1));
}
