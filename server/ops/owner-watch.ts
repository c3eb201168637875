import type { FastifyInstance } from 'fastify';
import { type Cause, NOTICES_PATH, type NoticesPage } from '../../src/domain/protocol/notices.ts';
import type { SendMail } from '../accounts/mail.ts';
import type { NotedCause, Notices } from '../stores/notices.ts';

/** How often everything is looked at. Milliseconds. */
const LOOKED_AT_EVERY = 60_000;
/** A database that is away for this long is told of. Shorter outages are restarts. Milliseconds. */
const AWAY_FOR = 5 * 60_000;
/** The hours of the server's time zone in which what can wait is not told. */
const [NIGHT_BEGINS, NIGHT_ENDS] = [22, 7];

/** Dependencies of the watch. */
interface Watched {
  readonly notices: Notices;
  /** What is wrong now. Rejects while the database is unreachable. */
  readonly look: () => Promise<readonly Cause[]>;
  /** Undefined without a mail server. */
  readonly sendMail: SendMail | undefined;
  /** For the subjects, and the address to look at; the latter may be empty. */
  readonly brandLabel: string;
  readonly publicHost: string;
  /** This server among several. */
  readonly server: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

/**
 * Tells owners in time what is wrong: one mail per cause, and one when it is over. Several servers of a database tell each once,
 * because they note and claim it there. What can wait is not told in the night.
 */
export class OwnerWatch {
  readonly #watched: Watched;
  /** The owners' addresses, for the time when the database is away. */
  #owners: readonly string[] = [];
  #awaySince: number | undefined;
  #isAwayTold = false;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** Looks once, and tells what is due. Never rejects. */
  async look(): Promise<void> {
    const { notices, look, onFault, server } = this.#watched;
    try {
      const found = await look();
      // another server's own causes are for that server to end
      await notices.note(found, (cause) => !cause.includes('@') || cause.endsWith(`@${server}`));
      this.#owners = await notices.owners();
      await this.#back();
      const urgent = new Set(found.filter(({ isUrgent }) => isUrgent).map(({ cause }) => cause));
      for (const noted of await notices.list()) await this.#tell(noted, urgent.has(noted.cause));
    } catch (error) {
      await this.#away(error).catch(onFault);
    }
  }

  async #tell(noted: NotedCause, isUrgent: boolean): Promise<void> {
    const { notices, sendMail } = this.#watched;
    const { cause, text, isTold, isOver } = noted;
    if (isOver && !isTold) return void (await notices.end(cause));
    if (sendMail === undefined) return void (isOver && (await notices.end(cause)));
    if (!isUrgent && this.#isNight()) return;
    if (isOver) return void ((await notices.end(cause)) && (await this.#mail('Over', `This is over: ${text}`)));
    if (isTold || !(await notices.claim(cause))) return;
    if (!(await this.#mail('Please look', text))) await notices.notTold(cause);
  }

  /** The database cannot be reached. Nothing can be noted there, so every server that has lost it tells. */
  async #away(error: unknown): Promise<void> {
    const { now, onFault } = this.#watched;
    this.#awaySince ??= now();
    if (this.#isAwayTold || now() - this.#awaySince < AWAY_FOR) return onFault(error);
    this.#isAwayTold = await this.#mail('Please look', 'The database has been away for five minutes.');
  }

  async #back(): Promise<void> {
    const wasTold = this.#isAwayTold;
    [this.#awaySince, this.#isAwayTold] = [undefined, false];
    if (wasTold) await this.#mail('Over', 'This is over: The database has been away for five minutes.');
  }

  /** Sends a letter to every owner. True if any went out. */
  async #mail(what: string, text: string): Promise<boolean> {
    const { sendMail, brandLabel, publicHost, onFault } = this.#watched;
    if (sendMail === undefined) return false;
    const address = publicHost === '' ? '' : `\n\nhttps://${publicHost}/health\n`;
    const letters = this.#owners.map((to) =>
      sendMail({ to, subject: `${brandLabel}: ${what}`, text: `${text}${address}` }),
    );
    const sent = await Promise.allSettled(letters);
    for (const one of sent) if (one.status === 'rejected') onFault(one.reason);
    return sent.some(({ status }) => status === 'fulfilled');
  }

  #isNight(): boolean {
    const hour = new Date(this.#watched.now()).getHours();
    return hour >= NIGHT_BEGINS || hour < NIGHT_ENDS;
  }
}

/** Looks every minute while the server listens, for the first time after a minute: it may still be making its first backup. */
export function watchForOwners(app: FastifyInstance, watch: OwnerWatch): void {
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    await watch.look();
    isLooking = false;
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  app.addHook('onListen', () => void (timer = setInterval(() => void look(), LOOKED_AT_EVERY).unref()));
  app.addHook('onClose', async () => clearInterval(timer));
}

/** What owners have to see to now. */
export function noticesRoute(api: FastifyInstance, notices: Notices): void {
  api.get(NOTICES_PATH, async (): Promise<NoticesPage> => {
    const [noted, isEmpty] = await Promise.all([notices.list(), notices.isEmpty()]);
    const current = noted.filter(({ isOver }) => !isOver);
    return { notices: current.map(({ cause, text, since }) => ({ cause, text, since })), isEmpty };
  });
}
