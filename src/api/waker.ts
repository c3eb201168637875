import type { Drained } from '../offline/sender/drain.ts';
import type { WorkerMessage } from '../offline/sender/worker-messages.ts';
import type { Device } from './device.ts';

/** How often the queue is looked at while the page is open, in milliseconds. */
export const LOOK_EVERY = 60_000;

/** What a page sees of the world in which something is to be sent. */
export interface WakerParts {
  readonly device: () => Promise<
    Pick<Device, 'browserEnvironment' | 'isLongInterrupted' | 'isWorkOverdue' | 'linkReturned' | 'serverAnswered'>
  >;
  /** The code that sends, for a page that has to do it by itself. */
  readonly sender: () => Promise<Pick<typeof import('../offline/sender/drain.ts'), 'drain'>>;
  /** The worker in charge, if there is one. */
  readonly worker: () => { postMessage(message: WorkerMessage, transfer: []): void } | undefined;
  readonly isHidden: () => boolean;
  /** The anti-forgery cookie as this page sees it. */
  readonly cookie: () => Promise<string | undefined>;
  /** True while a new version is about to take over: nothing is to be begun. */
  readonly keepsStill: () => boolean;
  /** Told of what went wrong on this device: the next look tries again. */
  readonly report: (failure: unknown) => void;
}

/** What a page knows beyond that there is something to send. */
export interface Hint {
  /** The link seems to be back, a guess too: every wait that a bad link was the reason of ends. */
  readonly linkReturned?: boolean;
  /** The server has answered this page: the queue's wait for the link ends. */
  readonly answered?: boolean;
}

export interface Waker {
  /** Hints that there is something to send. */
  wake(hint?: Hint): void;
  /** The worker cannot send: this page does. */
  sendHere(): void;
  /** A hint can get lost, and a worker can hang: what is overdue is sent from here. To be called every `LOOK_EVERY`. */
  lookAgain(): Promise<void>;
}

/** Decides for one page who sends: the worker, where there is one that can, else the page. */
export function createWaker(parts: WakerParts): Waker {
  const { device, sender, worker, isHidden, cookie, keepsStill, report } = parts;
  let stopTimer = () => {};

  function wake(hint: Hint = {}): void {
    if (!keepsStill()) pass(hint).catch(report);
  }

  async function pass(hint: Hint): Promise<void> {
    const { browserEnvironment, isLongInterrupted, linkReturned, serverAnswered } = await device();
    const environment = browserEnvironment();
    if (hint.linkReturned) await linkReturned(environment);
    else if (hint.answered) await serverAnswered(environment);
    const active = worker();
    // a worker that lives too short would begin anew for ever
    const pageSends = active === undefined || (await isLongInterrupted(environment, LOOK_EVERY));
    active?.postMessage(pageSends ? { type: 'WATCH' } : { type: 'DRAIN', cookie: await cookie() }, []);
    if (pageSends) await sendFromPage();
  }

  /** Sends from this page, and looks again when the next change is due. */
  async function sendFromPage(): Promise<Drained> {
    const [{ browserEnvironment }, { drain }] = await Promise.all([device(), sender()]);
    const environment = browserEnvironment();
    const drained = await drain(environment);
    stopTimer();
    if (drained.until !== undefined) {
      const wait = Math.min(LOOK_EVERY, Math.max(0, drained.until - environment.now()));
      stopTimer = environment.after(wait, () => wake());
    }
    return drained;
  }

  async function look(): Promise<void> {
    const { browserEnvironment, isWorkOverdue } = await device();
    if (await isWorkOverdue(browserEnvironment(), LOOK_EVERY)) await sendFromPage();
    else wake({ linkReturned: !isHidden() });
  }

  function sendHere(): void {
    if (!keepsStill()) sendFromPage().catch(report);
  }

  return { wake, sendHere, lookAgain: () => look().catch(report) };
}
