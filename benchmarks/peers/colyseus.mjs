// A Colyseus room with a stand-in for a game: seats move in turn, each is sent its own view at once (no state patches).
// node colyseus.mjs PORT; with DATABASE_URL each move is a row, inserted and awaited before anybody hears of it.

import { Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import pg from "pg";

import { SEATS, position, viewOf } from "./view.mjs";

const CONNECTIONS = 10;
const database = process.env.DATABASE_URL
  ? new pg.Pool({ connectionString: process.env.DATABASE_URL, max: CONNECTIONS })
  : null;
if (database) {
  await database.query("DROP TABLE IF EXISTS peer_moves");
  await database.query(
    "CREATE TABLE peer_moves (room text, n int, seat int, action jsonb, at timestamptz DEFAULT now(), PRIMARY KEY (room, n))",
  );
}

class Bench extends Room {
  maxClients = SEATS;
  patchRate = null;
  maxMessagesPerSecond = Infinity;
  seatReservationTimeout = 300;
  position = position(0);
  seated = [];

  messages = {
    move: async (client, { n }) => {
      const seat = this.seated.indexOf(client);
      if (n !== this.position.n + 1 || seat !== this.position.turn) {
        throw new Error(`seat ${seat} may not make move ${n} after ${this.position.n}`);
      }
      const next = position(n);
      if (database) {
        await database.query({
          name: "move",
          text: "INSERT INTO peer_moves (room, n, seat, action) VALUES ($1, $2, $3, $4)",
          values: [this.roomId, n, seat, '{"type":"play","cards":["bear-1","tiger-4"]}'],
        });
      }
      this.position = next;
      this.seated.forEach((other, number) => other.send("view", viewOf(next, number)));
    },
  };

  onJoin(client) {
    this.seated.push(client);
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("bench", Bench);
await server.listen(Number(process.argv[2]));
console.log("ready");
