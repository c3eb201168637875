import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A link between browser and server. */
export interface Link {
  readonly address: string;
  /** Changes the link's quality. A dead link accepts connections and never answers, like a radio that claims to be online. */
  become(quality: Quality | 'dead'): void;
  /** Cuts every connection. Data in flight is lost. */
  cut(): void;
  /** Bytes that have reached the server so far, including headers and resends. */
  carried(): number;
  close(): Promise<void>;
}

export interface Quality {
  /** Milliseconds. */
  readonly roundTrip: number;
  /** Per direction, shared by all connections. Unlimited if absent. */
  readonly bitsPerSecond?: number;
}

/** The link of a cheap tablet in the field. */
export const SLOW_LINK: Quality = { roundTrip: 150, bitsPerSecond: 1_600_000 };
/** No added latency. */
export const CABLE: Quality = { roundTrip: 0 };

const PIECE_BYTES = 4096;
/** How long data is still delivered to one side after the other has closed. Milliseconds. */
const LINGER = 1000;

/** One direction of the link. Bytes leave in order at the given rate and arrive half a round trip later. */
class Lane {
  private free = 0;

  private readonly quality: Quality;

  constructor(quality: Quality) {
    this.quality = quality;
  }

  /** When `bytes` sent at `now` arrive at the other end. */
  arrival(bytes: number, now: number): number {
    const { roundTrip, bitsPerSecond = Number.POSITIVE_INFINITY } = this.quality;
    this.free = Math.max(this.free, now) + (bytes * 8000) / bitsPerSecond;
    return this.free + roundTrip / 2;
  }
}

/** Forwards data from `from` to `to` in order. `earliest` is when the connection is established. */
function carry(from: Socket, to: Socket, lane: Lane, earliest: number): void {
  const waiting: { at: number; piece: Buffer | undefined }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const deliver = () => {
    timer = undefined;
    const now = performance.now();
    for (let next = waiting[0]; next && next.at <= now + 0.5; next = waiting[0]) {
      waiting.shift();
      if (next.piece) to.write(next.piece);
      else to.end();
    }
    const next = waiting[0];
    if (next) timer = setTimeout(deliver, Math.max(0, next.at - performance.now()));
  };
  const put = (piece: Buffer | undefined) => {
    const at = lane.arrival(piece?.length ?? 0, Math.max(performance.now(), earliest));
    waiting.push({ at, piece });
    timer ??= setTimeout(deliver, Math.max(0, at - performance.now()));
  };
  from.on('data', (bytes: Buffer) => {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) put(bytes.subarray(start, start + PIECE_BYTES));
  });
  from.on('end', () => put(undefined));
  from.on('close', () => setTimeout(() => to.destroy(), LINGER));
  from.on('error', () => to.destroy());
}

/** Opens a link to the server at `target` (an http address). It starts as a cable. */
export async function openLink(target: string): Promise<Link> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const serverEnds = new Set<Socket>();
  let arrived = 0;
  let quality: Quality | 'dead' = CABLE;
  let up = new Lane(CABLE);
  let down = new Lane(CABLE);
  const server = createServer((near) => {
    sockets.add(near);
    near.on('close', () => sockets.delete(near)).on('error', () => near.destroy());
    if (quality === 'dead') return;
    const far = connect({ host: hostname, port: Number(port), noDelay: true });
    serverEnds.add(far);
    far.on('close', () => {
      serverEnds.delete(far);
      arrived += far.bytesWritten;
    });
    near.setNoDelay(true);
    // The TCP handshake costs one round trip.
    carry(near, far, up, performance.now() + quality.roundTrip);
    carry(far, near, down, 0);
  });
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const renew = () => {
    if (quality !== 'dead') [up, down] = [new Lane(quality), new Lane(quality)];
    drop();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    become(next) {
      quality = next;
      renew();
    },
    cut() {
      for (const far of serverEnds) far.destroy();
      renew();
    },
    carried: () => [...serverEnds].reduce((sum, far) => sum + far.bytesWritten, arrived),
    async close() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
