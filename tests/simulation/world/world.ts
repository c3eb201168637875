import type { ResourceName } from '../../../src/domain/resource.ts';
import { wireName } from '../../../src/domain/fields.ts';
import { fieldOf } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import type { Values } from '../../../src/domain/validate.ts';
import type { SampleFile } from '../../harness/sample-files.ts';
import { type Arrival, arrivalsOf } from '../oracle/arrivals.ts';
import { Random } from './random.ts';
import type { ServerSupply, SimulatedServer, StoredRecord } from '../servers/server.ts';
import { newValues, sampleFor, sharedSample, type Subject, subjectsOf } from '../scenario/subjects.ts';
import { CookieJar } from './cookies.ts';
import { Device, type Tamper } from './device.ts';
import type { DeviceTraits } from './environment.ts';
import { ownMachine } from './machine.ts';
import { type Delivery, type FaultPlan, Network } from './network.ts';
import { multipart } from './wire-request.ts';
import { type Lane, Scheduler } from './scheduler.ts';

/** 1 March 2026, 8:00 UTC. */
const START = Date.UTC(2026, 2, 1, 8);
/** The user who works elsewhere. */
const ELSEWHERE = '2';
/** If people share files, one in this many is the shared one. */
const SHARED_EVERY = 3;

export interface WorldOptions {
  readonly seed: string;
  readonly supply: ServerSupply;
  readonly traits: DeviceTraits;
  readonly plan: FaultPlan;
  /** The resources of the world. Defaults to the usual ones. */
  readonly kinds?: readonly ResourceName[] | undefined;
  /** Sometimes a person picks the same file as someone else. */
  readonly sharesFiles?: boolean | undefined;
  readonly tamper?: Tamper;
  readonly keepLines?: boolean;
}

/** A server, the network to it, one device, and someone elsewhere who works on the same records. */
export class World {
  readonly scheduler: Scheduler;
  readonly server: SimulatedServer;
  readonly network: Network;
  readonly device: Device;
  readonly arrivals: Arrival[] = [];
  /** Called after the stored data of the server has changed. Real work. */
  onChanged: () => Promise<void> = async () => undefined;
  /** True once faults have stopped. */
  isCalm = false;
  /** When the holder of each token logged out. The world's milliseconds. */
  readonly loggedOut = new Map<string, number>();
  readonly subjects: readonly Subject[];
  readonly #users = new Map<string, string>();
  readonly #sharesFiles: boolean;
  readonly #jar: CookieJar;
  readonly #actor: Lane = { name: 'elsewhere', alive: true };
  #elsewhereToken = '';
  #marks = 0;

  private constructor(options: WorldOptions, scheduler: Scheduler, server: SimulatedServer) {
    this.scheduler = scheduler;
    this.subjects = subjectsOf(options.kinds);
    this.#sharesFiles = options.sharesFiles ?? false;
    this.server = server;
    this.network = new Network(scheduler, server, options.seed);
    const note = async (delivery: Delivery) => {
      const arrivals = await arrivalsOf(delivery);
      for (const arrival of arrivals) this.arrivals.push(await this.#withId(arrival));
      if (arrivals.some(({ effective }) => effective)) await this.onChanged();
    };
    // Behind a gateway, a change takes effect when the back end executes it.
    this.network.onDelivery = (delivery) =>
      server.name !== 'gateway' || delivery.from === 'elsewhere' ? note(delivery) : undefined;
    server.onArrival = (request, answer) =>
      note({ request, answer, at: scheduler.now, number: -1, from: 'gateway', repeated: false });
    this.device = new Device(
      scheduler,
      this.network,
      options.seed,
      options.traits,
      options.tamper ?? ((given) => given),
    );
    this.network.onJump = (milliseconds) => {
      this.device.skew += milliseconds;
    };
    this.#jar = new CookieJar(() => scheduler.now);
  }

  /** Creates a fresh world: a server with a few records, and a device with the app installed and nobody signed in. */
  static async begin(options: WorldOptions): Promise<World> {
    const scheduler = new Scheduler(new Random(`${options.seed}/schedule`), START, options.keepLines);
    let begun: World | undefined;
    const server = await options.supply.fresh({
      seed: options.seed,
      now: () => scheduler.now,
      randomBytes: bytesOf(options.seed),
      after: (milliseconds, work) => scheduler.afterReally(milliseconds, work, { name: 'server', alive: true }),
      isCalm: () => begun?.isCalm ?? true,
    });
    const world = new World(options, scheduler, server);
    ownMachine(scheduler);
    await world.device.install();
    await world.really(() => world.#furnish());
    world.network.plan = options.plan;
    begun = world;
    return world;
  }

  /** Ends the world and returns the clock to the machine. */
  end(): void {
    for (const context of [...this.device.pages, this.device.worker]) {
      if (context !== undefined) this.device.kill(context);
    }
    ownMachine(undefined);
    void this.server.close?.();
  }

  /** A unique number. */
  mark(): number {
    this.#marks += 1;
    return this.#marks;
  }

  /** The next file to pick: a unique one, or the shared one. */
  nextFile(field: string): SampleFile {
    const mark = this.mark();
    return this.#sharesFiles && mark % SHARED_EVERY === 0 ? sharedSample(field) : sampleFor(field, mark);
  }

  /** Kills the server and restarts it on its stored data after this many milliseconds without answers. */
  async restartServer(milliseconds: number): Promise<void> {
    this.network.serverDownUntil = this.scheduler.now + milliseconds;
    await this.really(() => this.server.restart());
  }

  /** Does real work while the world's clock stands still. */
  async really<T>(work: () => Promise<T>): Promise<T> {
    const done: { value?: T; failure?: unknown } = {};
    let over = false;
    this.scheduler.soonReally(async () => {
      try {
        done.value = await work();
      } catch (failure) {
        done.failure = failure;
      }
      over = true;
    }, this.#actor);
    await this.scheduler.run(this.scheduler.now, () => over);
    if (done.failure !== undefined) throw done.failure;
    return done.value as T;
  }

  /** Returns a fresh token and remembers its owner. Real work. */
  async signIn(user: string): Promise<string> {
    const token = await this.server.signIn(user);
    this.#users.set(token, user);
    this.scheduler.trace(`${user} has the token ${token}`);
    return token;
  }

  userOf(token: string): string | undefined {
    return this.#users.get(token);
  }

  /** Creates a record from elsewhere, with these texts and files in these fields if given. Returns its id. Real work. */
  async createElsewhere(
    subject: Subject,
    values = newValues(subject, this.mark()),
    fields: readonly string[] = [subject.single ?? [], subject.images ? 'images' : []].flat(),
  ): Promise<number> {
    const files = fields.map((field) => [field, sampleFor(field, this.mark())] as const);
    await this.#post(resourceOf(subject.resource).endpoints.create, subject.resource, values, files);
    const [id] = this.arrivals.flatMap((arrival) => (arrival.from === 'elsewhere' ? (arrival.id ?? []) : [])).slice(-1);
    if (id === undefined) throw new Error('The record was not created.');
    return id;
  }

  /** Edits fields of a record from elsewhere. Real work. */
  async editElsewhere(
    resource: ResourceName,
    stored: StoredRecord,
    changed: Values,
    files: readonly (readonly [field: string, file: SampleFile])[] = [],
  ): Promise<void> {
    const fields = resourceOf(resource).fields.filter(
      ({ kind }) => kind !== 'file' && kind !== 'image' && kind !== 'images',
    );
    const values = Object.fromEntries(fields.map(({ name }) => [name, String(stored.record[name] ?? '')]));
    const path = `${resourceOf(resource).endpoints.single}/${stored.record.id}`;
    await this.#post(path, resource, { ...values, ...changed }, files);
  }

  /** Deletes a record from elsewhere. Real work. */
  async deleteElsewhere(resource: ResourceName, id: number): Promise<void> {
    await this.#post(`${resourceOf(resource).endpoints.delete}/${id}`, resource, {}, []);
  }

  /** Deletes an image from elsewhere. Real work. */
  async deleteImageElsewhere(resource: ResourceName, imageId: number): Promise<void> {
    await this.#post(`/api/delete-image/${imageId}`, resource, {}, []);
  }

  /** Edits the site-wide settings from elsewhere. Real work. */
  async editSettingsElsewhere(changed: Values): Promise<void> {
    const now = await this.server.siteMeta();
    const values = Object.fromEntries(siteMeta.fields.map(({ name }) => [name, String(now[name] ?? '')]));
    await this.#post(siteMeta.endpoints.single, undefined, { ...values, ...changed }, []);
  }

  async #furnish(): Promise<void> {
    this.#elsewhereToken = await this.signIn(ELSEWHERE);
    for (const subject of this.subjects) await this.createElsewhere(subject);
  }

  async #post(
    path: string,
    resource: ResourceName | undefined,
    values: Values,
    files: readonly (readonly [field: string, file: SampleFile])[],
  ): Promise<void> {
    const headers = {
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
      authorization: `Bearer ${this.#elsewhereToken}`,
    };
    const look = await this.network.elsewhere({
      method: 'GET',
      path: '/api/user',
      headers: this.#headers(headers),
      body: undefined,
    });
    this.#jar.take(look.headers);
    const form = new FormData();
    for (const [name, value] of Object.entries(values)) form.append(name, value);
    for (const [field, file] of files) {
      const owner = resource === undefined ? undefined : fieldOf(resourceOf(resource), field);
      const blob = new Blob([new Uint8Array(file.buffer)], { type: file.mimeType });
      form.append(owner === undefined ? field : wireName(owner), blob, file.name);
    }
    const boundary = `----elsewhere${this.mark()}`;
    const token = decodeURIComponent(this.#jar.read('XSRF-TOKEN') ?? '');
    const sent = this.#headers({
      ...headers,
      'x-xsrf-token': token,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    });
    const body = await multipart(form, boundary);
    const answer = await this.network.elsewhere({ method: 'POST', path, headers: sent, body });
    if (answer.status !== 200)
      throw new Error(`${path} answered ${answer.status}: ${Buffer.from(answer.body).toString()}`);
  }

  #headers(headers: Record<string, string>): Headers {
    return new Headers({ ...headers, cookie: this.#jar.header() });
  }

  /** A stock back end does not return the id of a new record: it is the newest one. */
  async #withId(arrival: Arrival): Promise<Arrival> {
    const { op, id, effective, resource } = arrival;
    if (op !== 'create' || id !== undefined || !effective || resource === undefined || resource === 'site-meta')
      return arrival;
    const newest = (await this.server.stored(resource)).at(-1);
    return { ...arrival, id: newest?.record.id };
  }
}

/**
 * Returns random bytes for a server, with a separate sequence for each length. Bytes that are drawn in the background, for
 * the names of smaller images, thus do not change the next token or version.
 */
function bytesOf(seed: string): (count: number) => Buffer {
  const rows = new Map<number, Random>();
  return (count) => {
    const row = rows.get(count) ?? new Random(`${seed}/server/${count}`);
    rows.set(count, row);
    return row.bytes(count);
  };
}
