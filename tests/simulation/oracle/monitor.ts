import { requestOf } from '../../../src/domain/protocol/requests.ts';
import { isLocalId, type OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { Schedule } from '../scenario/schedule.ts';
import type { Sent, Watcher } from '../world/network.ts';
import type { Lane } from '../world/scheduler.ts';
import type { World } from '../world/world.ts';
import type { BatchAnswer, BatchedChange } from '../../../src/domain/protocol/batch.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import type { WireAnswer } from '../servers/server.ts';
import { answersIn, targetOf } from './arrivals.ts';

/** Answers that refuse a change for good. */
const REFUSING = new Set([400, 403, 404, 405, 409, 410, 413, 415, 422]);
/** Events that let a second sender start while the first is still sending. */
const LETS_SECOND_BEGIN = new Set([
  'locks leak',
  'frozen for a while',
  'frozen while sending',
  'sleep two days',
  'clock set ahead',
  'clock set back',
]);

/** How long a request may take to leave after its attempt was committed. Milliseconds. */
const ON_ITS_WAY = 5_000;

/** Checks the run as it happens, using only what is visible from outside at every request. */
export class Monitor implements Watcher {
  readonly failures: string[] = [];
  readonly #world: World;
  readonly #mayBeTwo: boolean;
  readonly #underWay = new Set<Sent>();
  readonly #refused = new Set<string>();
  readonly #done = new Set<string>();
  /** The server's offset of each file, as last reported to a lane. */
  readonly #arrived = new WeakMap<Lane, Map<string, number>>();
  /** Presses of "Send now" and "Retry" that are still in progress. */
  readonly #presses = new Set<{ readonly page: Lane }>();
  #wipes = 0;
  #notBefore = 0;
  #askedOf: Lane | undefined;
  #skew = 0;

  constructor(world: World, schedule: Schedule) {
    this.#world = world;
    this.#mayBeTwo = schedule.events.some(({ what }) => LETS_SECOND_BEGIN.has(what));
  }

  get #oneSender(): boolean {
    return !this.#mayBeTwo && !this.#world.network.faults.has('clock jumps');
  }

  /**
   * The administrator has pressed "Send now" or "Retry" in a page. Waits that the server requested end when that is
   * written, at any moment until the returned function is called or the page is gone.
   */
  hurry(page: Lane): () => void {
    const press = { page };
    this.#presses.add(press);
    this.#endWaits();
    return () => {
      this.#endWaits();
      this.#presses.delete(press);
    };
  }

  #endWaits(): void {
    this.#notBefore = 0;
  }

  /** Checks a request that is being sent. */
  sent(request: Sent): void {
    this.look();
    this.#checkGoesOn(request);
    if (!bringsChanges(request)) return;
    this.#checkAlone(request.lane);
    this.#checkSignedIn(request);
    this.#checkWritten(request);
    this.#checkPatient();
    this.#underWay.add(request);
  }

  heard(request: Sent, { status, headers, body }: WireAnswer): void {
    const { lane, key, path, batch, staged } = request;
    // a page with a 4xx says nothing about the file: a smaller piece may pass
    const isBlocked = status >= 400 && status < 500 && headers.get('content-type')?.startsWith('text/html') === true;
    if (staged !== undefined && !isBlocked)
      this.#arrivedOn(lane).set(staged, Number(headers.get('upload-offset') ?? Number.NaN));
    if (REFUSING.has(status)) this.#refused.add(key ?? path).add(staged ?? path);
    if (batch.length > 0 && status === 200) this.#hearEach(batch, answersIn(body));
    const wait = headers.get('retry-after');
    // what something else orders ends with the first answer of the server
    const isServers = headers.get('content-type') === 'application/json';
    if (wait === null || !/^\d+$/.test(wait) || !bringsChanges(request) || !isServers) return;
    this.#notBefore = this.#world.scheduler.now + Number(wait) * 1_000;
    this.#askedOf = lane;
    this.#skew = this.#world.device.skew;
  }

  #hearEach(batch: readonly BatchedChange[], answers: ReadonlyMap<string, BatchAnswer>): void {
    for (const change of batch) {
      if (REFUSING.has(answers.get(change.key)?.status ?? 0)) this.#refused.add(change.key).add(pathOf(change));
    }
  }

  over(request: Sent): void {
    this.#underWay.delete(request);
  }

  /** A done change stays done, and only a refusal makes a change refused. */
  look(): void {
    this.#forgetWiped();
    for (const entry of this.#world.device.entries()) {
      if (entry.state === 'done') this.#done.add(entry.id);
      else if (this.#done.has(entry.id)) this.#fail(`undone: ${entry.change.op} was done and is ${entry.state} again`);
      if (entry.state === 'attention' && entry.conflict === undefined) this.#checkRefused(entry);
    }
  }

  /** A device that has lost its receipts imports changes that it had sent as delivery unknown. */
  #forgetWiped(): void {
    const { wipes } = this.#world.device.storage;
    if (wipes > this.#wipes) this.#done.clear();
    this.#wipes = wipes;
  }

  #checkRefused({ reason, idempotencyKey, change, schema }: OutboxEntry): void {
    if (schema >= 99 || reason?.status === undefined || reason.code === 'server-errors') return;
    if (!this.#refused.has(idempotencyKey) && !this.#wasRefused(change))
      this.#fail(`untrue: ${change.op} is said to be refused with ${reason.status}, and nobody has`);
  }

  /** True if the address of the change, under any key, or one of its staged files was refused. */
  #wasRefused(change: OutboxEntry['change']): boolean {
    if ('files' in change && change.files.some(({ sha256 }) => this.#refused.has(sha256))) return true;
    const isLocal = change.op !== 'create' && 'recordId' in change && isLocalId(change.recordId);
    return !isLocal && this.#refused.has(requestOf(change).path);
  }

  /** One sender at a time. */
  #checkAlone(lane: Lane): void {
    const other = [...this.#underWay].find((one) => one.lane !== lane && one.lane.alive);
    if (other !== undefined && this.#oneSender) this.#fail(`two senders at once: ${lane.name} and ${other.lane.name}`);
  }

  /** Nothing leaves in the name of one who has logged out, apart from what was already on its way out. */
  #checkSignedIn({ token }: Sent): void {
    const { loggedOut, scheduler } = this.#world;
    if (scheduler.now - (loggedOut.get(token) ?? scheduler.now) > ON_ITS_WAY)
      this.#fail('named: a change is sent for one who has logged out');
  }

  /** A chunk begins at the offset that the server has reported: nothing is sent twice, and nothing is left out. */
  #checkGoesOn({ lane, staged, offset }: Sent): void {
    if (staged === undefined || offset === undefined) return;
    const told = this.#arrivedOn(lane).get(staged);
    if (told !== offset) this.#fail(`astray: a piece begins at ${offset}, and the server has told ${told}`);
  }

  #arrivedOn(lane: Lane): Map<string, number> {
    const known = this.#arrived.get(lane) ?? new Map<string, number>();
    this.#arrived.set(lane, known);
    return known;
  }

  /** The attempt is written before its request is sent. */
  #checkWritten({ key, batch }: Sent): void {
    const keys = batch.length > 0 ? batch.map((change) => change.key) : [key];
    const entries = this.#world.device.entries().filter(({ idempotencyKey }) => keys.includes(idempotencyKey));
    for (const entry of entries) {
      if (entry.state !== 'sending' && this.#oneSender)
        this.#fail(`unwritten: a request goes out for what is ${entry.state}`);
    }
  }

  #checkPatient(): void {
    if (this.#isHurried()) this.#endWaits();
    const { scheduler, device } = this.#world;
    const early = this.#notBefore - scheduler.now;
    if (early > 1_000 && this.#askedOf?.alive && this.#oneSender && device.skew === this.#skew)
      this.#fail(`hasty: ${Math.round(early / 1_000)} s before the server's time`);
  }

  /** True if a press may be taking effect now, or may have before its page was killed. */
  #isHurried(): boolean {
    const hurried = this.#presses.size > 0;
    for (const press of this.#presses) if (!press.page.alive) this.#presses.delete(press);
    return hurried;
  }

  #fail(text: string): void {
    if (!this.failures.includes(text)) this.failures.push(text);
  }
}

function bringsChanges(request: Sent): boolean {
  return request.batch.length > 0 || targetOf(request) !== undefined;
}

/** The address that a change of a batch would have on its own. */
function pathOf({ op, resource, id, imageId }: BatchedChange): string {
  const { endpoints } = resourceOf(resource);
  if (op === 'delete-image') return `/api/delete-image/${imageId}`;
  if (resource === siteMeta.name) return siteMeta.endpoints.single;
  if (op === 'create') return 'create' in endpoints ? endpoints.create : '';
  return `${op === 'delete' && 'delete' in endpoints ? endpoints.delete : endpoints.single}/${id}`;
}
