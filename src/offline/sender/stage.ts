import { backoff } from '../../domain/outbox/backoff.ts';
import { refusedByFile } from '../../domain/outbox/refused-file.ts';
import type { Upload } from '../../domain/outbox/uploads.ts';
import type { FileReference, OutboxEntry, Reason } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from '../storage/environment.ts';
import { FileLostError } from '../storage/errors.ts';
import { openFile, storedBytes } from '../storage/files.ts';
import { writeMeta } from '../storage/meta.ts';
import { readUpload, writeUpload } from '../storage/uploads.ts';
import { carried, cutShort, pieceSize } from './link.ts';
import { begunAnew, chosen, deferAfterError, pauseFor, record, type Sender, underFence } from './sender.ts';
import { isServerThere } from './server-kind.ts';
import { beginUpload, continueUpload, type Told } from './staging.ts';

/** What this sender has learned during its lease. */
interface Knowledge {
  readonly fence: number;
  /** By SHA-256: how many bytes the server holds. */
  readonly offsets: Map<string, number>;
  /** Files whose stored bytes were verified. */
  readonly intact: Set<string>;
}

const knowledge = new WeakMap<Environment, Knowledge>();

/** Offsets are valid for one fence: another sender may have sent since. */
function known({ environment, fence }: Sender): Knowledge {
  const before = knowledge.get(environment);
  if (before?.fence === fence) return before;
  const fresh: Knowledge = { fence, offsets: new Map(), intact: before?.intact ?? new Set() };
  knowledge.set(environment, fresh);
  return fresh;
}

/**
 * Advances an upload by one step: asks for its offset, or sends the next piece. Records the server's answer before anything
 * else. A file that cannot be sent puts its change under attention.
 */
export async function stageStep(sender: Sender, entry: OutboxEntry, file: FileReference): Promise<void> {
  const offset = known(sender).offsets.get(file.sha256);
  // a change that named the file may have learned since that the server lacks it
  const isNoted = offset === (sender.travel?.uploads.get(file.sha256)?.offset ?? 0);
  if (offset === undefined || !isNoted) return noteTold(sender, entry, file, await beginUpload(sender, file));
  try {
    const piece = await pieceOf(sender, file, offset);
    await noteTold(sender, entry, file, await sendTimed(sender, file, offset, piece));
  } catch (failure) {
    if (!(failure instanceof FileLostError)) return deferAfterError(sender, entry, failure);
    await hold(sender, entry, { code: 'file-lost', message: failure.message });
  }
}

/** The next bytes of a file. The whole file is verified once, before its first piece: engines have lost stored bytes. */
async function pieceOf(sender: Sender, file: FileReference, offset: number): Promise<ArrayBuffer> {
  const { environment } = sender;
  const { intact } = known(sender);
  if (offset === 0 && !intact.has(file.id)) {
    await openFile(environment, file);
    intact.add(file.id);
  }
  const blob = await storedBytes(environment, file);
  const length = Math.min(pieceSize(environment), file.size - offset);
  const piece = await blob
    ?.slice(offset, offset + length)
    .arrayBuffer()
    .catch(() => undefined);
  if (piece?.byteLength !== length) throw new FileLostError(file.name);
  return piece;
}

async function sendTimed(sender: Sender, file: FileReference, offset: number, piece: ArrayBuffer): Promise<Told> {
  const { environment } = sender;
  const began = environment.now();
  const told = await continueUpload(sender, file, offset, piece);
  if (told.is === 'untold' || told.is === 'blocked') cutShort(environment);
  // a proxy may take smaller pieces
  if (told.is === 'blocked' && pieceSize(environment) < piece.byteLength) return { is: 'at', offset };
  if (told.is === 'at' && told.offset === offset + piece.byteLength) {
    carried(environment, piece.byteLength, environment.now() - began);
  }
  return told;
}

async function noteTold(sender: Sender, entry: OutboxEntry, file: FileReference, told: Told): Promise<void> {
  const { offsets, intact } = known(sender);
  offsets.delete(file.sha256);
  switch (told.is) {
    case 'at':
      offsets.set(file.sha256, told.offset);
      return note(sender, file, (upload) => arrivedTo(upload, told.offset));
    case 'absent':
      return note(sender, file, (upload) =>
        begunAnew(sender, upload, 'The server no longer had it. It will be sent again.'),
      );
    case 'wrong':
      intact.delete(file.id);
      return note(sender, file, (upload) => begunAnew(sender, upload, 'It arrived damaged and will be sent again.'));
    case 'full':
      return note(sender, file, (upload) => waiting(sender, upload, told.message));
    case 'blocked':
      return blocked(sender, file);
    case 'refused':
      return refused(sender, entry, file, told.reason);
    case 'untold':
      return note(
        sender,
        file,
        (upload) => (isArrivalUnknown(told) ? waiting(sender, upload) : upload),
        () => pauseFor(sender, told.outcome, true),
      );
    default:
      return told satisfies never;
  }
}

/** True if it is unknown how much of the piece has arrived. */
function isArrivalUnknown({ outcome }: Told & { is: 'untold' }): boolean {
  return outcome.kind === 'unreachable' || outcome.kind === 'uncertain';
}

/** Bytes that arrived end every wait: the link works. */
function arrivedTo(upload: Upload, offset: number): Upload {
  const { restarts, triedAt } = upload;
  const failures = offset > upload.offset ? 0 : upload.failures;
  return { ...chosen(upload), offset, restarts, failures, triedAt };
}

/** Makes the file wait, longer each time nothing of it arrives. */
function waiting({ environment }: Sender, upload: Upload, message?: string): Upload {
  const failures = upload.failures + 1;
  const notBefore = environment.now() + backoff(failures, environment.random());
  return { ...upload, failures, notBefore, ...(message === undefined ? {} : { message }) };
}

/** If the server itself answers at the same time, a proxy rejects pieces: the file travels inside its change instead. */
async function blocked(sender: Sender, file: FileReference): Promise<void> {
  const inside = await isServerThere(sender);
  await note(sender, file, (upload) => (inside ? { ...upload, inside: true } : waiting(sender, upload)));
}

/** The server refuses the file: the change needs attention, with every other problem listed too. */
async function refused(sender: Sender, entry: OutboxEntry, file: FileReference, reason: Reason): Promise<void> {
  const { change } = entry;
  const { maxFileBytes } = sender.server.limits;
  const isSaved = change.op === 'create' || change.op === 'update';
  await hold(sender, entry, isSaved ? refusedByFile(change, file, reason, maxFileBytes) : reason);
}

async function hold(sender: Sender, entry: OutboxEntry, reason: Reason): Promise<void> {
  await record(sender, entry, { do: 'report', event: { event: 'held', reason } });
}

/** Records the progress of an upload. `besides` joins the transaction; without it, the queue's pause ends. */
async function note(
  sender: Sender,
  file: FileReference,
  change: (upload: Upload) => Upload,
  besides?: () => Promise<void>,
): Promise<void> {
  const { environment, session } = sender;
  const { outbox, now } = environment;
  await underFence(sender, async () => {
    const upload = change(await readUpload(outbox, session.administrator, file));
    await Promise.all([
      writeUpload(outbox, session.administrator, { ...upload, triedAt: now() }),
      writeMeta(outbox, 'lastAttempt', now()),
      besides === undefined ? writeMeta(outbox, 'pause', undefined) : besides(),
    ]);
  });
}
