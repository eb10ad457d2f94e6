// What a seat is shown of the stand-in for a game: about as much as a seat of four sees in Hold my Bear.

const ANIMALS = ["bear", "cat", "chicken", "dog", "ferret", "hamster", "tiger", "vole"];

export const SEATS = 4;

function cards(from, count) {
  return Array.from({ length: count }, (_, place) => `${ANIMALS[(from + place) % ANIMALS.length]}-${(from + place) % 9 + 1}`);
}

/** The whole position after move `n`: hands are secret, the rest is open. */
export function position(n) {
  return {
    n,
    table: cards(n, 3),
    owner: (n + SEATS - 1) % SEATS,
    turn: n % SEATS,
    hands: Array.from({ length: SEATS }, (_, seat) => cards(n + seat * 5, 10)),
    gone: cards(n + 3, 16),
    known: Array.from({ length: SEATS }, (_, seat) => cards(n + seat, 6)),
  };
}

/** What `seat` may know of a position. */
export function viewOf(whole, seat) {
  const { hands, ...open } = whole;
  return { ...open, seat, hand: hands[seat], counts: hands.map((hand) => hand.length), text: `Seat ${open.owner} played.` };
}
