import { newDraftKey } from '../../../src/domain/draft-keys.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import type { DraftFile } from '../../../src/offline/drafts/drafts.ts';
import type { Random } from '../world/random.ts';
import type { Actor } from './actor.ts';
import { newValues, sampleFor } from './subjects.ts';

/** Marks of values that are typed and never saved. None of them may ever reach the server. */
const FIRST_MARK = 900_000;

/** Half-filled forms: nobody has pressed Save. */
export class Drafts {
  readonly #actor: Actor;
  #marks = FIRST_MARK;

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  /** Begins a new record whose draft the page stores as it is typed, and leaves it. */
  leave(random: Random): void {
    const { signedIn, world, ledger } = this.#actor;
    if (signedIn === undefined) return;
    const subject = random.pick(world.subjects);
    this.#marks += 1;
    const draft = {
      values: newValues(subject, this.#marks),
      files: subject.images ? [this.#photo(this.#marks)] : [],
      savedAt: world.scheduler.now,
    };
    const key = newDraftKey(signedIn, resourceOf(subject.resource));
    this.#actor.do(async ({ drafts, lane }) => {
      const begun = ledger.draftBegun(`${signedIn} ${subject.resource}`, key, draft.values);
      const kept = await drafts.write(key, draft).then(() => true, onlyByStorage);
      if (kept && lane.alive) begun.kept();
    });
  }

  #photo(mark: number): DraftFile {
    const { name, mimeType: type, buffer } = sampleFor('images', mark);
    return { key: `photo ${mark}`, field: 'images', blob: new Blob([new Uint8Array(buffer)], { type }), name, type };
  }
}

/**
 * Accepts only that the device's storage is full or does not answer: the draft is not stored, and nobody was told that it
 * would be.
 */
function onlyByStorage(failure: unknown): false {
  if (!(failure instanceof Error) || !/Quota|Abort|Bulk|Stalled/.test(failure.name)) throw failure;
  return false;
}
