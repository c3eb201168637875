import { isAway } from '../../errors/faults.ts';
import { FILE_TYPE_NAMES, type FileType } from '../../../src/domain/fields.ts';
import { attributeName } from '../../../src/domain/validate.ts';
import type { PlacedFile } from './record-files.ts';
import { errorKeyOf } from '../../protocol/submitted.ts';
import { invalid, stageAgain } from '../../errors/refusal.ts';
import { timestamp } from '../../services.ts';
import type { SqlServices } from './services.ts';
import type { ReceivedFile } from '../../uploads/received.ts';
import { removeFiles } from './removal.ts';
import { turns, type Wanted } from '../../concurrency/concurrency.ts';
import { PictureTooLarge } from '../../uploads/picture-fault.ts';
import { place, UnreadablePicture } from '../../uploads/storage.ts';
import type { Applied, ChangeAnswer } from '../store.ts';
import type { Change } from './change.ts';
import { requireStill } from './tokens.ts';
import { type Key, storeAnswer, storedAnswer } from './idempotency.ts';
import type { Confirm } from './running.ts';

/**
 * Executes a change. One with an idempotency key takes effect once, and repeats get the stored answer. The files are
 * complete and durable on the disk before the transaction begins, which commits the rows, the history and the key together.
 */
export async function executeChange(services: SqlServices, change: Change): Promise<Applied> {
  if (change.key === undefined) return { answer: await perform(services, change, undefined), isReplayed: false };
  const key = { ...change.key, userId: change.caller.user.id };
  return services.running.alone(key, async (confirm) => {
    await change.confirm?.();
    const stored = await storedAnswer(services.db, key);
    const answer = stored ?? (await perform(services, change, { ...key, confirm }));
    return { answer, isReplayed: stored !== undefined };
  });
}

/** A key, and the check that this process still owns the change. */
type Claim = Key & { readonly confirm: Confirm };

async function perform(services: SqlServices, change: Change, claim: Claim | undefined): Promise<ChangeAnswer> {
  if (change.missing.length > 0) throw stageAgain(change.missing);
  await change.check(services.db);
  if (change.makesRoom !== true) await services.reserve.keep();
  const placed = await placeAll(services, change);
  const committing = () => commit(services, change, placed, claim);
  const answer = await (change.makesRoom === true ? services.reserve.spend(committing) : committing()).catch(
    async (error: unknown) => {
      // If the outcome of the commit is unknown, rows may name the files. The next start decides.
      if (!isAway(error as object)) await removeFiles(services.storage, storedNames(placed));
      throw error;
    },
  );
  services.sizes.add(pictureNames(placed));
  if (placed.length > 0) services.owner.advance();
  await services.removal.begin(change.caller.log);
  return answer;
}

function commit(services: SqlServices, change: Change, placed: readonly PlacedFile[], claim: Claim | undefined) {
  return services.db.transaction().execute(async (writing) => {
    await claim?.confirm(writing);
    await requireStill(writing, change.caller.tokenHash, 'editor');
    await change.check(writing);
    const answer = await change.apply(writing, placed);
    if (claim !== undefined) await storeAnswer(writing, claim, answer, timestamp(services));
    return answer;
  });
}

/**
 * Files of a change that are completed at a time: one is stored while another is decoded. All at once, the pictures of one large change
 * would fill their sender's line for the decoder, and be refused.
 */
const PLACED_AT_ONCE = 2;

/** Completes all files or none: if one cannot be kept, the others are given up and removed. */
async function placeAll(services: SqlServices, change: Change): Promise<PlacedFile[]> {
  const { user, signal } = change.caller;
  const failed = new AbortController();
  const wanted = { by: `user ${user.id}`, signal: AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]) };
  const few = turns(PLACED_AT_ONCE, { ofOne: Number.POSITIVE_INFINITY, ofAll: Number.POSITIVE_INFINITY });
  const placing = change.files.map((file) =>
    few
      .soon(wanted, () => placeOne(services, file, wanted))
      .catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
  );
  const outcomes = await Promise.allSettled(placing);
  const placed = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  try {
    if (faults.length > 0) throw refusalOf(change, faults);
    if (placed.length > 0) await services.storage.files.keep(storedNames(placed));
    return placed;
  } catch (error) {
    await removeFiles(services.storage, storedNames(placed));
    throw error;
  }
}

async function placeOne(services: SqlServices, file: ReceivedFile, wanted: Wanted): Promise<PlacedFile> {
  if (file.type === undefined) throw new Error(`The type of "${file.field}" was not checked.`);
  const stored = await place(services.storage, file, file.type, wanted);
  // failures are reported by `keep`
  await services.storage.files.prepare?.(stored).catch(() => undefined);
  return { field: file.field, stored };
}

const tooLarge = (what: string) =>
  `${what} is too large to unfold: at most 50 megapixels, with all frames of an animation, and 30,000 pixels on a side, or 12 to 25, depending on how it is stored, where it is interlaced, progressive or a WebP. Save it smaller.`;

const unreadable = (what: string, type: string) =>
  `${what} could not be read: it is damaged or has another format than ${type}.`;

/** Invalid or too large pictures cause a 422 under their fields. Any other fault is the server's. */
function refusalOf(change: Change, faults: readonly unknown[]): unknown {
  const other = faults.find((fault) => !(fault instanceof UnreadablePicture));
  if (other !== undefined) return other;
  const entries = faults
    .filter((fault) => fault instanceof UnreadablePicture)
    .map(({ file, cause }) => {
      const key = errorKeyOf(change.fields, change.files, file);
      const what = `The ${attributeName(key)}`;
      const text =
        cause instanceof PictureTooLarge ? tooLarge(what) : unreadable(what, FILE_TYPE_NAMES[file.type as FileType]);
      return [key, [text]];
    });
  return invalid(Object.fromEntries(entries));
}

function storedNames(placed: readonly PlacedFile[]): string[] {
  return placed.map((file) => file.stored.name);
}

function pictureNames(placed: readonly PlacedFile[]): string[] {
  return storedNames(placed.filter(({ stored }) => stored.type.startsWith('image/')));
}
