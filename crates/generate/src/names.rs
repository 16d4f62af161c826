//! Words that kinds of pieces are called by: a list for each letter, so that the kinds of a game have different initials.
//!
//! None of them is a word of the grammar or of the notation of moves. A change of a list changes games: see [`crate::VERSION`].

/// The most kinds a game can have: one for each letter.
pub(crate) const MAX_KINDS: usize = WORDS.len();

/// Words by initial letter.
pub(crate) const WORDS: [[&str; 8]; 26] = [
    ["acorn", "adder", "alder", "anchor", "anvil", "arrow", "aster", "auk"],
    ["badger", "barrel", "basil", "beacon", "bison", "bobbin", "bramble", "buckle"],
    ["cactus", "candle", "cedar", "cinder", "clover", "comet", "cricket", "crow"],
    ["dagger", "daisy", "dancer", "dingo", "dolphin", "donkey", "drum", "dune"],
    ["eagle", "easel", "echo", "eel", "egret", "elder", "elk", "ember"],
    ["falcon", "feather", "fern", "ferret", "fiddle", "finch", "flint", "fox"],
    ["gannet", "garnet", "gecko", "geyser", "goblet", "gopher", "grebe", "gull"],
    ["hammer", "hare", "hawk", "hazel", "heron", "hornet", "hound", "husk"],
    ["ibex", "ibis", "icicle", "iguana", "impala", "ingot", "iris", "ivy"],
    ["jackal", "jade", "jaguar", "jasper", "jay", "jester", "jigsaw", "juniper"],
    ["kayak", "kelp", "kernel", "kestrel", "kettle", "kite", "kiwi", "knot"],
    ["ladle", "lantern", "lark", "lemur", "lichen", "lily", "lizard", "lynx"],
    ["magpie", "mallow", "mango", "maple", "marten", "minnow", "mole", "moth"],
    ["needle", "nettle", "newt", "nimbus", "nomad", "nuthatch", "nutmeg", "nymph"],
    ["oak", "oasis", "ocelot", "olive", "onyx", "orchid", "otter", "owl"],
    ["paddle", "panda", "parrot", "pebble", "pelican", "pepper", "plover", "puffin"],
    ["quail", "quarry", "quartz", "quetzal", "quill", "quince", "quiver", "quokka"],
    ["rabbit", "radish", "raven", "reed", "robin", "ruby", "rudder", "rye"],
    ["saddle", "salmon", "sandal", "scarab", "seal", "sparrow", "spruce", "swift"],
    ["tapir", "teasel", "thimble", "thistle", "thrush", "toad", "topaz", "tulip"],
    ["udder", "ukulele", "ulna", "umber", "umbra", "urchin", "urn", "utensil"],
    ["valley", "vanilla", "velvet", "viola", "violet", "viper", "vole", "vulture"],
    ["walnut", "walrus", "wasp", "weasel", "whelk", "willow", "wombat", "wren"],
    ["xebec", "xenia", "xenon", "xeric", "xerus", "xylem", "xyst", "xyster"],
    ["yak", "yam", "yarn", "yarrow", "yeoman", "yew", "yodel", "yucca"],
    ["zebra", "zephyr", "zigzag", "zinc", "zinnia", "zircon", "zither", "zodiac"],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The terminal words of the grammar, and the words of the notation of moves.
    const RESERVED: &str = "game goals end board_size by board_type planar vertical_cylinder inversion diagonal forward \
        promote_rank setup constraints must_capture continue_captures define moving capturing promoting movement leap \
        ride min max longest hop before over after hop_over x symmetry all_symmetry side rotation capture retrieve \
        clobber type effect remove possesses displaces decision assigns to options at arrive eradicate stalemate player \
        opponent any_player any_piece random promote_to white black promote";

    #[test]
    fn words_have_their_letter_and_are_free() {
        for (letter, list) in ('a'..='z').zip(&WORDS) {
            assert!(list.is_sorted_by(|a, b| a < b), "{list:?}");
            for word in list {
                assert!(word.starts_with(letter) && word.bytes().all(|b| b.is_ascii_lowercase()));
                assert!(!RESERVED.split_whitespace().any(|reserved| reserved == *word), "{word}");
            }
        }
    }
}
