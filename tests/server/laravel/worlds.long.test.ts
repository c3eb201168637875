import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildGateway } from '../../../server/gateway.ts';
import { httpTransport, NoAnswerError, NotSentError, type Transport } from '../../../server/stores/remote/transport.ts';
import { type Laravel, startLaravel } from '../../harness/laravel.ts';
import { CREATE, catalog, single, VALUES } from '../gateway-ups.ts';
import { adminOf } from '../gateway-world.ts';
import { freshFolder, type TestFile, testSettings } from '../harness.ts';

/** Worlds of a gateway before a genuine Laravel with the middleware, both of which fail at will. */

const WORLDS = 100;
const CHANGES = 4;

let laravel: Laravel;
beforeAll(async () => {
  laravel = await startLaravel({ withVoltdesk: true });
}, 60_000);
afterAll(() => laravel.close());

/** A record as it has to be in the end. */
interface Wanted {
  readonly brand: string;
  /** The colours of its photos. */
  readonly photos: readonly string[];
}

/** Deterministic numbers below a bound (https://en.wikipedia.org/wiki/Linear_congruential_generator). */
function numbersFrom(seed: number): (below: number) => number {
  let state = BigInt(seed) * 2_654_435_761n + 1n;
  return (below) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    return Number(state >> 33n) % below;
  };
}

class World {
  readonly wanted = new Map<number, Wanted>();
  readonly #random: (below: number) => number;
  readonly #token: string;
  readonly #folder: string;
  #now = Date.now();
  #timers: { readonly at: number; readonly work: () => Promise<void> }[] = [];
  #app: Awaited<ReturnType<typeof buildGateway>> | undefined;
  #colours = 0;

  constructor(seed: number, token: string, folder: string) {
    this.#random = numbersFrom(seed);
    this.#token = token;
    this.#folder = folder;
  }

  async begin(): Promise<void> {
    await this.#app?.close();
    this.#timers = [];
    const settings = testSettings({ API_URL: laravel.origin, DATA_DIR: this.#folder, APP_DIR: this.#folder });
    this.#app = await buildGateway(settings, {
      now: () => this.#now,
      after: (milliseconds, work) => {
        const timer = { at: this.#now + milliseconds, work };
        this.#timers.push(timer);
        return () => void (this.#timers = this.#timers.filter((other) => other !== timer));
      },
      transport: this.#unreliable(httpTransport(laravel.origin)),
    });
  }

  end = () => this.#app?.close();

  /** Loses requests and answers, and has workers die. */
  #unreliable(whole: Transport): Transport {
    return async (request) => {
      if (request.method === 'GET') return whole(request);
      switch (this.#random(7)) {
        case 0:
          for await (const _ of request.body?.stream ?? []);
          throw new NoAnswerError('The request was lost.');
        case 1:
          await whole(request).catch(() => undefined);
          throw new NoAnswerError('The answer was lost.');
        case 2:
          for await (const _ of request.body?.stream ?? []);
          throw new NotSentError('It was not sent.');
        case 3:
        case 4:
          laravel.plan({ reencodes: true, diesAt: 1 + this.#random(40) });
          return whole(request);
        default:
          return whole(request);
      }
    };
  }

  async play(): Promise<void> {
    for (let change = 0; change < CHANGES; change += 1) {
      const [[id, before] = []] = this.wanted;
      const choice = id === undefined ? 0 : this.#random(5);
      if (id === undefined || before === undefined || choice <= 1) await this.#create();
      else if (choice === 2) await this.#delete(id);
      else if (choice === 3) await this.#removePhoto(id, before);
      else await this.#edit(id, before);
    }
  }

  async #create(): Promise<void> {
    const wanted = { brand: `B${this.#random(2)}`, photos: this.#newColours(1 + this.#random(24)) };
    const { id } = await this.#made(CREATE, { ...VALUES, brand: wanted.brand }, [
      catalog,
      ...(await files(wanted.photos)),
    ]);
    this.wanted.set(Number(id), wanted);
  }

  async #edit(id: number, before: Wanted): Promise<void> {
    const more = this.#newColours(this.#random(24));
    const { version } = await this.#record(id);
    const brand = `E${this.#random(2)}`;
    await this.#made(single(id), { ...VALUES, brand }, await files(more), version);
    this.wanted.set(id, { brand, photos: [...before.photos, ...more] });
  }

  async #removePhoto(id: number, before: Wanted): Promise<void> {
    const { version, images } = await this.#record(id);
    const image = images[this.#random(images.length)];
    if (image === undefined) return;
    const removed = await colourAt(`${laravel.origin}/uploads/${image.image}`);
    await this.#made(`/api/delete-image/${image.id}`, {}, [], version);
    this.wanted.set(id, { ...before, photos: before.photos.filter((colour) => colour !== removed) });
  }

  async #delete(id: number): Promise<void> {
    const { version } = await this.#record(id);
    await this.#made(`/api/delete-ups/${id}`, {}, [], version);
    this.wanted.delete(id);
  }

  #newColours(count: number): string[] {
    return Array.from({ length: count }, () => {
      this.#colours += 1;
      return `#${String(this.#colours).padStart(6, '0')}`;
    });
  }

  get #admin() {
    if (this.#app === undefined) throw new Error('The gateway has not begun.');
    return adminOf(this.#app, this.#token);
  }

  async #record(id: number) {
    const answer = await this.#admin.get(single(id));
    return answer.json<{ brand: string; version: string; images: { id: number; image: string }[] }>();
  }

  /** Sends a change until it is made, as a device does: the same key, whatever fails. */
  async #made(path: string, values: Readonly<Record<string, string>>, sent: readonly TestFile[], version?: string) {
    const key = randomUUID();
    const more = { 'idempotency-key': key, ...(version !== undefined && { 'if-match': `"${version}"` }) };
    for (let attempt = 0; attempt < 60; attempt += 1) {
      laravel.plan({ reencodes: true });
      const answer = await this.#admin.post(path, values, sent, more);
      if (answer.statusCode === 200) return answer.json<{ id?: number }>();
      // a change whose worker dies each time is set aside; nothing else may be refused
      if (answer.statusCode < 500 && answer.statusCode !== 409) throw new Error(`${path}: ${answer.body}`);
      if (this.#random(4) === 0) await this.begin();
      await this.#pass(5000);
    }
    throw new Error(`${path} was never made`);
  }

  async #pass(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    await Promise.all(due.map(({ work }) => work()));
  }

  /** The records as the back end itself shows them. */
  async shown(): Promise<Map<number, Wanted>> {
    const headers = { accept: 'application/json', authorization: `Bearer ${this.#token}` };
    const read = async <T>(path: string) => (await (await fetch(laravel.origin + path, { headers })).json()) as T;
    const rows = await read<{ id: number }[]>('/api/get-upss');
    const found = new Map<number, Wanted>();
    for (const { id } of rows) {
      const { brand, images } = await read<{ brand: string; images: { image: string }[] }>(single(id));
      const photos = await Promise.all(images.map(({ image }) => colourAt(`${laravel.origin}/uploads/${image}`)));
      found.set(id, { brand, photos });
    }
    return found;
  }
}

/** The last of an edit's requests brings the first of its photos. */
function inAnyOrder(records: ReadonlyMap<number, Wanted>): Map<number, Wanted> {
  return new Map([...records].map(([id, { brand, photos }]) => [id, { brand, photos: photos.toSorted() }]));
}

async function files(colours: readonly string[]): Promise<TestFile[]> {
  return Promise.all(
    colours.map(async (background) => ({
      field: 'images[]',
      bytes: new Uint8Array(
        await sharp({ create: { width: 2, height: 2, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
      name: `${background}.png`,
      type: 'image/png',
    })),
  );
}

async function colourAt(address: string): Promise<string> {
  const bytes = Buffer.from(await (await fetch(address)).arrayBuffer());
  const pixels = await sharp(bytes).removeAlpha().raw().toBuffer();
  return `#${pixels.subarray(0, 3).toString('hex')}`;
}

test.each(Array.from({ length: WORLDS }, (_, seed) => seed))(
  'world %i: nothing doubled, lost or half applied',
  async (seed) => {
    laravel.reset();
    const world = new World(seed, await laravel.signIn(), await freshFolder());
    onTestFinished(() => world.end());
    await world.begin();
    await world.play();
    expect(inAnyOrder(await world.shown())).toEqual(inAnyOrder(world.wanted));
  },
);
