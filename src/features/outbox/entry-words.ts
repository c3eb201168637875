import { ROLE_TOO_LOW } from '../../domain/roles.ts';
import { statusOf } from '../../domain/outbox/status.ts';
import { blockedIds, idsHeldByQuestion, isDeletion, isReadable } from '../../domain/outbox/scheduler.ts';
import { type Change, type FileReference, type OutboxEntry, type QueuePause } from '../../domain/outbox/vocabulary.ts';
import { UNSETTLED } from '../../domain/protocol/unsettled.ts';
import { isSingle } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { filesForWifi, missingFiles, type Travel } from '../../domain/outbox/uploads.ts';
import type { QueueState } from '../../offline/outbox/queries.ts';
import { formatSize, formatTime } from '../../ui/format.ts';
import { asSentence, NEEDS_SIGN_IN } from '../../domain/messages.ts';
import { msg, say, sayOf, t } from '../../language/t.ts';

/** How a state is coloured. It only supports the text. */
export type Tone = 'waiting' | 'busy' | 'attention';

export interface StateWords {
  readonly tone: Tone;
  /** The state in a few words. */
  readonly state: string;
  /** The reason, and what happens next. */
  readonly detail: string;
}

/** The facts about the queue that the text of an entry depends on. */
export interface QueueFacts {
  readonly pause: QueuePause | undefined;
  /** Ids of entries blocked by an earlier change of their record. */
  readonly blocked: ReadonlySet<string>;
  /** Ids of entries held until “Did this save?” is answered. */
  readonly asked: ReadonlySet<string>;
  readonly now: number;
  /** The files staged before their changes. */
  readonly travel?: Travel | undefined;
}

/** The facts about the entries of one administrator. */
export function factsOf(
  entries: readonly OutboxEntry[],
  { pause, travel }: Pick<QueueState, 'pause' | 'travel'>,
  now: number,
): QueueFacts {
  const administrator = entries[0]?.administrator ?? '';
  return {
    pause,
    travel,
    now,
    blocked: blockedIds(entries, administrator),
    asked: idsHeldByQuestion(entries, administrator),
  };
}

/** The state of an entry as text. It claims only what is known: "saved on this device" is never "saved". */
export function wordsOf(entry: OutboxEntry, facts: QueueFacts): StateWords {
  if (!isReadable(entry)) {
    return {
      tone: 'waiting',
      state: t('Waiting for an app update'),
      detail: t('A newer version of this app made it. It will be sent after the update.'),
    };
  }
  const status = statusOf(entry);
  switch (status) {
    case 'sending':
      return { tone: 'busy', state: t('Sending'), detail: '' };
    case 'refused':
      return { tone: 'attention', state: refusedState(entry), detail: say(entry.reason?.message ?? '') };
    case 'conflict':
      return { tone: 'attention', ...conflictWords(entry) };
    case 'done':
      return { tone: 'waiting', state: operationOf(entry), detail: say(entry.receipt?.message ?? '') };
    case 'waiting':
    case 'checking':
      return { tone: 'waiting', ...waitingWords(entry, facts) };
    default:
      return status satisfies never;
  }
}

function conflictWords(entry: OutboxEntry): { state: string; detail: string } {
  if (isDeletion(entry))
    return { state: t('Changed since'), detail: t('Someone has changed it since. Delete anyway?') };
  const detail = t('Compare both versions and choose.');
  return { state: entry.conflict?.own ? t('You edited this twice') : t('Edited by someone else too'), detail };
}

/**
 * What an entry does ("New generator") or did ("Created generator"). For an entry of a newer version only "Change" is certain.
 */
export function operationOf(entry: OutboxEntry): string {
  if (!isReadable(entry)) return t('Change');
  const { change, state } = entry;
  return OPERATIONS[change.op](nounOf(change))[state === 'done' ? 'done' : 'planned'];
}

type Operation = (noun: string) => { readonly planned: string; readonly done: string };

const OPERATIONS: { readonly [K in Change['op']]: Operation } = {
  create: (noun) => ({ planned: sayOf(msg('New {what}'), noun), done: t('Created {noun}', { noun: say(noun) }) }),
  update: (noun) => ({
    planned: t('Edit {noun}', { noun: say(noun) }),
    done: t('Updated {noun}', { noun: say(noun) }),
  }),
  delete: (noun) => ({
    planned: t('Delete {noun}', { noun: say(noun) }),
    done: t('Deleted {noun}', { noun: say(noun) }),
  }),
  'delete-image': (noun) => ({
    planned: t('Delete image of {noun}', { noun: say(noun) }),
    done: t('Deleted image of {noun}', { noun: say(noun) }),
  }),
};

function nounOf(change: Change): string {
  const resource = resourceOf(change.resource);
  return isSingle(resource) ? resource.label.one.toLowerCase() : resource.label.noun.one;
}

function refusedState(entry: OutboxEntry): string {
  switch (entry.reason?.code) {
    case 'several-candidates':
      return t('Did this save?');
    case 'file-lost':
      return t('A file was lost');
    case 'too-large':
      return t('Too large for the server');
    case 'blocked':
      return t('Blocked on the way');
    case 'gone':
      return t('No longer on the server');
    case ROLE_TOO_LOW:
      return t('Your role does not allow it');
    case 'server-errors':
      return t('The server keeps failing');
    default:
      return t('Refused by the server');
  }
}

interface WaitingWords {
  readonly state: string;
  readonly detail: string;
  readonly tone?: Tone;
}

function waitingWords(entry: OutboxEntry, facts: QueueFacts): WaitingWords {
  const { pause, blocked, asked, now } = facts;
  if (pause?.cause === 'signed-out')
    return { state: t('Waiting for you to sign in'), detail: t('Will be sent as soon as you sign in.') };
  if (pause?.portal) return { state: say(NEEDS_SIGN_IN), detail: t('Will be sent after that.') };
  if (asked.has(entry.id)) {
    const detail = t('Answer “Did this save?” for this record first. This change will be sent after that.');
    return { state: t('Waiting for your answer'), detail };
  }
  if (blocked.has(entry.id))
    return { state: t('Waiting for its turn'), detail: t('An earlier change of the same record goes first.') };
  if (entry.notBefore !== undefined && entry.notBefore > now) return laterWords(entry, entry.notBefore);
  if (statusOf(entry) === 'checking') return doubtWords(entry);
  const [file] = missingFiles(entry, facts.travel);
  const upload = facts.travel?.uploads.get(file?.sha256 ?? '');
  if (upload?.halted) return { state: t('Paused'), detail: t('What has arrived stays on the server.') };
  const [held] = filesForWifi(entry, facts.travel);
  if (held !== undefined) return wifiWords(held, facts.travel);
  if (pause?.cause === 'unreachable')
    return { state: t('Waiting for a connection'), detail: t('Will send automatically.') };
  if (pause?.cause === 'busy') return { state: t('The server is busy'), detail: again(pause.until, now) };
  if (upload?.notBefore !== undefined && upload.notBefore > now)
    return { state: t('Waiting'), detail: tryAt(upload.notBefore) };
  if (upload !== undefined) return { tone: 'busy', state: t('Sending its files'), detail: '' };
  return { state: t('Waiting to be sent'), detail: t('Will be sent in a moment.') };
}

function wifiWords({ name }: FileReference, travel: Travel | undefined): WaitingWords {
  const size = formatSize(travel?.wifiOver ?? 0);
  return { state: t('Waiting for Wi-Fi'), detail: t('{name} is larger than {size}.', { name, size }) };
}

function laterWords(entry: OutboxEntry, at: number): { state: string; detail: string } {
  if (entry.change.op === 'delete' && entry.attempts === 0) {
    return { state: t('Can still be undone'), detail: t('Will be sent in a few seconds.') };
  }
  if (statusOf(entry) === 'checking')
    return { ...doubtWords(entry), detail: `${asSentence(doubtWords(entry).detail)} ${tryAt(at)}` };
  const reason = asSentence(say(entry.reason?.message ?? ''));
  return { state: t('Waiting'), detail: [reason, tryAt(at)].filter(Boolean).join(' ') };
}

function doubtWords(entry: OutboxEntry): { state: string; detail: string } {
  if (entry.reason?.code === UNSETTLED) return { state: t('Did this save?'), detail: say(entry.reason.message) };
  return {
    state: t('Checking whether it was saved'),
    detail: say(entry.reason?.message ?? '') || t('The server didn’t answer. Nothing is ever saved twice.'),
  };
}

function again(until: number | undefined, now: number): string {
  return until === undefined || until <= now ? t('Will send automatically.') : tryAt(until);
}

function tryAt(at: number): string {
  return t('Next try at {time}.', { time: formatTime(at) });
}
