import type { Drained } from '../offline/sender/drain.ts';
import type { WorkerMessage } from '../offline/sender/worker-messages.ts';
import type { Device } from './device.ts';

/** How often an open page checks the queue. Milliseconds. */
export const LOOK_EVERY = 60_000;

/** Dependencies of the waker. */
export interface WakerParts {
  readonly device: () => Promise<
    Pick<Device, 'browserEnvironment' | 'isLongInterrupted' | 'isWorkOverdue' | 'linkReturned' | 'serverAnswered'>
  >;
  /** Loads the sender, for a page that has to send itself. */
  readonly sender: () => Promise<Pick<typeof import('../offline/sender/drain.ts'), 'drain'>>;
  /** The active worker, if there is one. */
  readonly worker: () => { postMessage(message: WorkerMessage, transfer: []): void } | undefined;
  readonly isHidden: () => boolean;
  /** The anti-forgery cookie of this page. */
  readonly cookie: () => Promise<string | undefined>;
  /** True while a new version is about to take over, when nothing may start. */
  readonly keepsStill: () => boolean;
  /** Reports a failure on this device. The next check tries again. */
  readonly report: (failure: unknown) => void;
}

/** What a page knows besides that something may be pending. */
export interface Hint {
  /** The link may be back, even as a guess. Ends every wait caused by a bad link. */
  readonly linkReturned?: boolean;
  /** The server has answered this page. Ends the queue's wait for the link. */
  readonly answered?: boolean;
}

export interface Waker {
  /** Hints that something may be pending. */
  wake(hint?: Hint): void;
  /** Sends from this page, because the worker cannot. */
  sendHere(): void;
  /** Sends overdue changes from this page, in case a hint was lost or the worker hangs. To be called every `LOOK_EVERY`. */
  lookAgain(): Promise<void>;
}

/** Decides who sends: the worker if there is one that can, else the page. */
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
    // a worker that is always stopped too early would start over forever
    const pageSends = active === undefined || (await isLongInterrupted(environment, LOOK_EVERY));
    active?.postMessage(pageSends ? { type: 'WATCH' } : { type: 'DRAIN', cookie: await cookie() }, []);
    if (pageSends) await sendFromPage();
  }

  /** Sends from this page, and again when the next change is due. */
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
