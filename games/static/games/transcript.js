// The transcript's hashes and deal, by the page docs/verify.md, with the browser's own cryptography.
const utf8 = new TextEncoder();
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const sha256 = (data) => crypto.subtle.digest("SHA-256", data);

/** Return canonical JSON (RFC 8785): this language's own number and string forms, keys by UTF-16 units. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** Return the SHA-256 of the server seed, both hexadecimal. */
export const fingerprint = async (serverSeed) => hex(await sha256(bytes(serverSeed)));

/** Return the number of the first record that does not fit the chain, or null. */
export async function chain(transcript) {
  const { format, game, rules, game_id, seats, fairness, deal } = transcript;
  const header = { format, game, rules, game_id, seats, deal, commitment: fairness?.commitment ?? null, client_seeds: fairness?.client_seeds ?? null };
  if ("deal_group" in transcript) header.deal_group = transcript.deal_group;
  let last = new Uint8Array(await sha256(utf8.encode(canonical(header))));
  for (const [index, { n, at, seat, action, hash }] of transcript.records.entries()) {
    const record = utf8.encode(canonical({ n, at, seat, action }));
    const joined = new Uint8Array(last.length + record.length);
    joined.set(last);
    joined.set(record, last.length);
    last = new Uint8Array(await sha256(joined));
    if (n !== index + 1 || hash !== hex(last)) return index + 1;
  }
  return null;
}

async function hmac(key, message) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

async function shuffled(deck, seed) {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  let block = 0;
  let words = [];
  async function word() {
    if (words.length === 0) {
      const message = new DataView(new ArrayBuffer(8));
      message.setBigUint64(0, BigInt(block));
      block += 1;
      const view = new DataView(await crypto.subtle.sign("HMAC", key, message.buffer));
      words = Array.from({ length: 8 }, (_, place) => view.getUint32(4 * place));
    }
    return words.shift();
  }
  async function below(n) {
    const limit = 2 ** 32 - (2 ** 32 % n);
    let x = await word();
    while (x >= limit) x = await word();
    return x % n;
  }
  const cards = [...deck];
  for (let place = cards.length - 1; place > 0; place -= 1) {
    const other = await below(place + 1);
    [cards[place], cards[other]] = [cards[other], cards[place]];
  }
  return cards;
}

/** Return the deal of a game of Hold my Bear, `{table, hands}`, or null for other games and while the seed is secret. */
export async function dealOf(transcript) {
  const { fairness, deal, seats, game, rules } = transcript;
  if (game !== "hold-my-bear" || (!deal && !fairness?.server_seed)) return null;
  let cards = deal?.deck;
  if (!cards) {
    const parts = ["deal", transcript.deal_group ?? transcript.game_id, ...fairness.client_seeds];
    const seed = await hmac(bytes(fairness.server_seed), utf8.encode(parts.join("\0")));
    const deck = [...rules.animals].sort().flatMap((animal) => [1, 1, 1, 2, 2, 3, 4, 5].map((number) => `${animal}-${number}`));
    cards = await shuffled(deck, seed);
  }
  const [table, ...rest] = cards;
  const hands = Array.from({ length: seats }, (_, seat) => rest.filter((_card, place) => place % seats === seat).sort());
  return { table, hands };
}
