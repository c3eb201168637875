import type { Attempted, DueDelivery, Webhooks } from '../stores/webhooks.ts';
import { type PostMessage, signatureHeaders } from './webhook-request.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long changes are gathered, so that a batch becomes one message. Milliseconds. */
const GATHER_TIME = 2 * SECOND;
/** How often other processes' changes are looked for. Milliseconds. */
const LOOK_EVERY = MINUTE;
/** How long one server may hold a message: longer than an attempt takes. Milliseconds. */
const CLAIM_TIME = MINUTE;
/** Pauses after failed attempts; the last one repeats. Milliseconds. */
const PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 4 * HOUR];
/** A message that was not delivered by then is given up. Milliseconds. */
const GIVE_UP_AFTER = 3 * 24 * HOUR;

interface Context {
  readonly webhooks: Webhooks;
  readonly post: PostMessage;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Calls `work` later and returns a function that cancels it. */
  readonly after: (milliseconds: number, work: () => void) => () => void;
  /** Called when an address has taken a message. */
  readonly onTold: () => void;
  /** Called with what kept a round from its end. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Tells addresses of changes: durable, in order for each address, repeated until it was answered with 2xx or three days are
 * over. A message that was sent and not noted, because the server was killed, is sent again under its id.
 */
export class WebhookSender {
  readonly #context: Context;
  #cancel: (() => void) | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Something may have changed. */
  notify(): void {
    this.#wakeAt(this.#context.now() + GATHER_TIME);
  }

  /** Gathers what has changed and sends what is due. Calls during a round share it. */
  run(): Promise<void> {
    this.#running ??= this.#round().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Stops, after the round that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#running;
  }

  async #round(): Promise<void> {
    const { webhooks, now, onFault } = this.#context;
    this.#dueAt = Number.POSITIVE_INFINITY;
    let next: number | undefined;
    try {
      await webhooks.gather();
      for (;;) {
        const due = this.#isClosed ? [] : await webhooks.claimDue(now() + CLAIM_TIME);
        if (due.length === 0) break;
        await Promise.all(due.map((delivery) => this.#send(delivery)));
      }
      next = await webhooks.nextDue();
    } catch (error) {
      // the database is away; what is durable there waits
      onFault(error);
    }
    this.#wakeAt(Math.min(next ?? Number.POSITIVE_INFINITY, now() + LOOK_EVERY));
  }

  async #send({ messageId, url, secret, body, attempts, createdAt }: DueDelivery): Promise<void> {
    const { webhooks, post, now, onTold } = this.#context;
    const headers = signatureHeaders(secret, messageId, body, now());
    const answer = await post({ url, headers, body }).catch((error: unknown) => wordsOf(error));
    const attempted = attemptedWith(answer, { attempts, createdAt, now: now() });
    await webhooks.note(messageId, attempted);
    if (attempted.outcome === 'delivered') onTold();
  }

  #wakeAt(at: number): void {
    if (this.#isClosed || at >= this.#dueAt) return;
    this.#cancel?.();
    this.#dueAt = at;
    this.#cancel = this.#context.after(Math.max(0, at - this.#context.now()), () => void this.run());
  }
}

interface Past {
  readonly attempts: number;
  readonly createdAt: string;
  readonly now: number;
}

/** What follows from an answer's status, or from the words about a missing one. */
function attemptedWith(answer: number | string, { attempts, createdAt, now }: Past): Attempted {
  const status = typeof answer === 'number' ? { status: answer } : {};
  if (typeof answer === 'number' && answer >= 200 && answer < 300) return { outcome: 'delivered', status: answer };
  const problem = typeof answer === 'number' ? `It answered with ${answer}.` : answer;
  if (now - Date.parse(createdAt) >= GIVE_UP_AFTER) return { outcome: 'given-up', problem, ...status };
  const pause = PAUSES[Math.min(attempts, PAUSES.length - 1)] ?? HOUR;
  return { outcome: 'retry', at: now + pause, problem, ...status };
}

function wordsOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'It did not answer in time.';
  return error instanceof Error ? error.message.slice(0, 200) : String(error);
}
