// Puts the text of a game into a link, and reads it out again: compressed, after the # of an address, so that it never
// reaches a server's log.

/** @param {string} text */
export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** At most this much text is read from a link. */
const MOST = 4 * 1024 * 1024;

/** @param {string} packed */
export async function unpack(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MOST) throw new Error("The text in this link is longer than 4 MB, which is the most that is read.");
  }
}

/** A link that opens a text in the editor. @param {string} text */
export async function linkTo(text) {
  return `${location.origin}/new#t=${await pack(text)}`;
}

/** The text in an address, if there is one. @param {URL} address */
export async function textIn(address) {
  const packed = /^#t=([0-9A-Za-z_-]+)$/.exec(address.hash)?.[1];
  if (!packed) return null;
  try {
    return await unpack(packed);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("The text")) throw error;
    throw new Error("The link is not whole: the text of the game cannot be read from it.");
  }
}
