// boardgame.io's own server with a stand-in for a game: seats move in turn, hands are secret, nothing is kept.
// node boardgame.mjs PORT

import { createRequire } from "node:module";

import { SEATS, position, viewOf } from "./view.mjs";

const { Server } = createRequire(import.meta.url)("boardgame.io/server");

const game = {
  name: "bench",
  minPlayers: SEATS,
  maxPlayers: SEATS,
  disableUndo: true,
  setup: () => position(0),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { play: ({ G }) => position(G.n + 1) },
  playerView: ({ G, playerID }) => viewOf(G, Number(playerID)),
};

const server = Server({ games: [game], origins: [true] });
await server.run({ port: Number(process.argv[2]) }, () => console.log("ready"));
