import { blockedIds, idsHeldByQuestion } from '../../domain/outbox/scheduler.ts';
import { ENTRY_SCHEMA, type Change, type OutboxEntry, type QueuePause } from '../../domain/outbox/vocabulary.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { SITE_META } from '../../domain/site-meta.ts';
import { formatCount, formatSize, formatTime } from '../../ui/format.ts';

/** What a state looks like: it only supports the words. */
export type Tone = 'waiting' | 'busy' | 'attention';

export interface StateWords {
  readonly tone: Tone;
  /** The state in a few words. */
  readonly state: string;
  /** Why it is so and what happens next. */
  readonly detail: string;
}

/** What is to be known of the queue to speak of one of its entries. */
export interface QueueFacts {
  readonly pause: QueuePause | undefined;
  /** Ids of the entries that wait for an earlier change of their record. */
  readonly blocked: ReadonlySet<string>;
  /** Ids of the entries that wait for the answer to “Did this save?”. */
  readonly asked: ReadonlySet<string>;
  readonly now: number;
}

/** The facts about the entries of one administrator. */
export function factsOf(entries: readonly OutboxEntry[], pause: QueuePause | undefined, now: number): QueueFacts {
  const administrator = entries[0]?.administrator ?? '';
  return {
    pause,
    now,
    blocked: blockedIds(entries, administrator),
    asked: idsHeldByQuestion(entries, administrator),
  };
}

/** The state of an entry in words. Only what is known is said: "saved on this device" is never "saved". */
export function wordsOf(entry: OutboxEntry, facts: QueueFacts): StateWords {
  if (entry.schema > ENTRY_SCHEMA) {
    return {
      tone: 'waiting',
      state: 'Left alone',
      detail: 'A newer version of this app made it. It goes out after the update.',
    };
  }
  switch (entry.state) {
    case 'sending':
      return { tone: 'busy', state: 'Being sent', detail: '' };
    case 'refused':
      return { tone: 'attention', state: refusedState(entry), detail: entry.reason?.message ?? '' };
    case 'conflict':
      return {
        tone: 'attention',
        state: 'Changed by two',
        detail: 'Somebody else changed the same fields meanwhile. Compare and choose.',
      };
    case 'done':
      return { tone: 'waiting', state: 'Done', detail: entry.receipt?.message ?? '' };
    case 'queued':
    case 'uncertain':
    case 'waiting':
      return { tone: 'waiting', ...waitingWords(entry, facts) };
    default:
      return entry.state satisfies never;
  }
}

/** What an entry does, as in "New Generator". Of one that a newer version made, nothing is known for sure. */
export function operationOf({ change, schema }: OutboxEntry): string {
  return schema > ENTRY_SCHEMA ? 'Change' : operationWords(change);
}

function operationWords(change: Change): string {
  switch (change.op) {
    case 'create':
      return `New ${kindOf(change)}`;
    case 'update':
      return `${kindOf(change)} changed`;
    case 'delete':
      return `${kindOf(change)} deleted`;
    case 'delete-image':
      return `Image of a ${kindOf(change)} deleted`;
    case 'save-settings':
      return SITE_META.label;
    default:
      return change satisfies never;
  }
}

/** "3 files, 2.1 MB", or an empty text for a change without files. */
export function filesWords(change: Change): string {
  if (!('files' in change) || change.files.length === 0) return '';
  const bytes = change.files.reduce((sum, file) => sum + file.size, 0);
  return `${formatCount(change.files.length, 'file')}, ${formatSize(bytes)}`;
}

function kindOf(change: Exclude<Change, { op: 'save-settings' }>): string {
  return resourceOf(change.resource).label.one;
}

function refusedState(entry: OutboxEntry): string {
  switch (entry.reason?.code) {
    case 'several-candidates':
      return 'Did this save?';
    case 'file-lost':
      return 'A file was lost';
    case 'too-large':
      return 'Too large for the server';
    case 'blocked':
      return 'Blocked on the way';
    case 'gone':
      return 'No longer on the server';
    case 'server-errors':
      return 'The server keeps failing';
    default:
      return 'Refused by the server';
  }
}

function waitingWords(entry: OutboxEntry, facts: QueueFacts): { state: string; detail: string } {
  const { pause, blocked, asked, now } = facts;
  if (pause?.cause === 'signed-out')
    return { state: 'Waits for your sign-in', detail: 'It is sent as soon as you sign in.' };
  if (asked.has(entry.id)) {
    const detail = 'It is about a row of which you are asked “Did this save?”. It goes out after your answer.';
    return { state: 'Waits for your answer', detail };
  }
  if (blocked.has(entry.id))
    return { state: 'Waits for its turn', detail: 'An earlier change of the same record goes first.' };
  if (entry.notBefore !== undefined && entry.notBefore > now) return laterWords(entry, entry.notBefore);
  if (entry.state === 'uncertain') return doubtWords(entry);
  if (pause?.cause === 'unreachable') return { state: 'Waits for the connection', detail: 'It goes out by itself.' };
  if (pause?.cause === 'busy') return { state: 'The server is busy', detail: again(pause.until, now) };
  return { state: 'Waits to be sent', detail: 'It goes out in a moment.' };
}

function laterWords(entry: OutboxEntry, at: number): { state: string; detail: string } {
  if (entry.change.op === 'delete' && entry.attempts === 0) {
    return { state: 'Can still be undone', detail: 'It goes out in a few seconds.' };
  }
  if (entry.state === 'uncertain') return { ...doubtWords(entry), detail: `${doubtWords(entry).detail} ${tryAt(at)}` };
  return { state: 'Waits', detail: [entry.reason?.message, tryAt(at)].filter(Boolean).join(' ') };
}

function doubtWords(entry: OutboxEntry): { state: string; detail: string } {
  return {
    state: 'Perhaps arrived',
    detail: entry.reason?.message ?? 'No answer came. It is checked, and never saved twice.',
  };
}

function again(until: number | undefined, now: number): string {
  return until === undefined || until <= now ? 'It goes out by itself.' : tryAt(until);
}

function tryAt(at: number): string {
  return `It is tried again at ${formatTime(at)}.`;
}
