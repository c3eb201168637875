import { USUAL } from './kept-case.ts';
import type { ResourceName } from '../../src/domain/resource.ts';
import type { EventName, Schedule } from './scenario/schedule.ts';
import type { Fault } from './world/faults.ts';

/** What happens in a world of a planted bug's own: events by milliseconds after the start, and the faults of the first changes and reads. */
interface Course {
  readonly events: readonly (readonly [at: number, what: EventName])[];
  readonly faults?: readonly Fault[];
  readonly faultsOfReads?: readonly Fault[];
  readonly pages?: number;
  readonly kind?: ResourceName;
  readonly sharesFiles?: true;
}

/** Makes worlds in which a bug that drawn ones rarely reach can do harm. The seed draws the rest. */
function courseOf(
  name: string,
  { events, faults = [], faultsOfReads = [], pages = 1, kind = 'generators', ...more }: Course,
): (seed: string) => Schedule {
  return (seed) => ({
    ...USUAL,
    seed: `${name}/${seed}`,
    events: events.map(([at, what]) => ({ at, what, seed: `${name}/${seed}/${at}` })),
    faultsOfChanges: faults,
    faultsOfReads,
    faultRate: 0,
    faultsEnd: 0,
    pages,
    kinds: [kind],
    ...more,
  });
}

/** The same event again and again. Milliseconds. */
function repeated(what: EventName, times: number, every: number, from = 20_000): [at: number, what: EventName][] {
  return Array.from({ length: times }, (_, i) => [from + i * every, what]);
}

/** The same fault for each of the first changes. */
function eachTime(fault: Fault, times: number): Fault[] {
  return Array.from({ length: times }, () => fault);
}

/** Two pages and a worker, woken again and again while slow requests are under way. */
export const MANY_WAKE = courseOf('two', {
  events: [
    [20_000, 'create'],
    [20_500, 'wake together'],
    [21_000, 'update'],
    [21_500, 'wake together'],
    [22_000, 'update'],
    [22_200, 'wake together'],
    [26_000, 'create'],
    [26_300, 'wake together'],
    [30_000, 'send now'],
    [32_000, 'wake together'],
    [35_000, 'open page'],
  ],
  faults: eachTime('slow', 10),
  pages: 2,
});
/** A portal answers what is saved. */
export const PORTAL_ANSWERS = courseOf('portal', {
  events: [
    [20_000, 'create'],
    [25_000, 'update'],
  ],
  faults: eachTime('portal', 6),
});
/** The server asks to wait, and more is saved meanwhile. */
export const ASKED_TO_WAIT = courseOf('patient', {
  events: [
    [20_000, 'create'],
    [60_000, 'update'],
    [65_000, 'wake together'],
  ],
  faults: eachTime('429 seconds', 6),
});
/** A record is edited on while its first edits are answered to nobody. */
export const EDITED_ON = courseOf('again', {
  events: repeated('update', 14, 1_500),
  faults: eachTime('answer lost', 8),
});
/** Records are created and edited on while the server is busy. */
export const BUSY_WHILE_EDITED = courseOf('created', {
  events: [[20_000, 'create'], [21_000, 'create'], ...repeated('update', 14, 3_000, 25_000)],
  faults: eachTime('503', 8),
});
/** The server fails before it executes anything. */
export const SERVER_FAILS = courseOf('errors', {
  events: repeated('create', 3, 30_000),
  faults: eachTime('500 before', 6),
});
/** The clock jumps during each create, and the create arrives late. */
export const CLOCK_JUMPS = courseOf('jump', {
  events: repeated('create', 8, 30_000),
  faults: eachTime('clock jumps', 16),
});
/** A page with a 403 takes the place of answers. */
export const FOREIGN_PAGES = courseOf('foreign', {
  events: [
    [20_000, 'create'],
    [60_000, 'update'],
  ],
  faults: eachTime('page 403 after', 6),
});
/** Requests are repeated on the way, and only the repeats are answered. */
export const REPEATS_ANSWERED = courseOf('repeat', {
  events: repeated('create', 6, 30_000),
  faults: eachTime('repeat 429', 12),
});
/** Something in between orders a wait of a week. */
export const LONG_WAIT = courseOf('week', {
  events: [
    [20_000, 'create'],
    [60_000, 'update'],
  ],
  faults: eachTime('page with a long wait', 8),
});
/** Nothing of the first create arrives, and someone else creates a record with the same texts. */
export const EQUAL_ROW = courseOf('equal', {
  events: [
    [20_000, 'create'],
    [24_000, 'equal row made elsewhere'],
  ],
  faults: ['request lost'],
});
/** Someone else replaces a file, and the record is deleted by a user who has not seen that. */
export const REPLACED_THEN_DELETED = courseOf('replaced', {
  events: [
    [20_000, 'file replaced elsewhere'],
    [90_000, 'delete'],
  ],
  kind: 'about-items',
});
/** A user logs out, and somebody presses Save in a tab that was left open. */
export const LEFT_OPEN = courseOf('left', {
  events: [
    [20_000, 'create'],
    [40_000, 'sign out'],
    [50_000, 'saved in a tab left open'],
  ],
  pages: 2,
});
/** Others edit what is edited here, and pages with a 404 take the place of the server's answers to reads. */
export const READS_NOT_FOUND = courseOf('not found', {
  events: [
    [20_000, 'edit elsewhere'],
    [30_000, 'update'],
    [40_000, 'attend'],
    [60_000, 'edit elsewhere'],
    [70_000, 'update'],
    [80_000, 'attend'],
  ],
  faultsOfReads: eachTime('page 404 after', 8),
});
/** A large file is damaged or swept on the server while it arrives. */
export const HARMED_ON_ARRIVAL = courseOf('harmed', {
  events: [[10_000, 'staged files harmed'], ...repeated('create', 3, 20_000)],
  sharesFiles: true,
});
/** The request of an edit is lost after its record was compared, and someone else edits that before the link returns. */
export const EDITED_WHILE_LOST = courseOf('lost', {
  events: [
    [20_000, 'update'],
    [21_500, 'radio off'],
    [40_000, 'edit elsewhere'],
    [120_000, 'radio on'],
  ],
  faults: ['request lost'],
});
