import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { exportQueue, importQueue } from '../../../src/offline/outbox/export.ts';
import type { Carried } from '../oracle/ledger.ts';
import type { Actor } from './actor.ts';

/** How long an administrator waits for a queue file to be written. Milliseconds. */
const PATIENCE = 5_000;

/** Exports the queue to a file and imports it again. */
export class Carrier {
  readonly #actor: Actor;
  #file: { readonly blob: Blob; readonly carried: Carried } | undefined;

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  /** Writes the queue of the signed-in user to a file and keeps the last one. False if no file was written. */
  async carryOff(): Promise<boolean> {
    const { world, ledger, signedIn } = this.#actor;
    if (signedIn === undefined) return false;
    const before = this.#file;
    this.#actor.do(async ({ environment }) => {
      const blob = await exportQueue(environment, signedIn);
      this.#file = { blob, carried: ledger.carriedOff(await idsIn(blob)) };
      world.scheduler.trace(`${this.#file.carried.length} changes are carried off`);
    });
    await world.scheduler.run(world.scheduler.now + PATIENCE, () => this.#file !== before);
    return this.#file !== before;
  }

  /** Imports the last file, whether its changes were lost, still exist, or were sent. */
  takeIn(): void {
    const { ledger, world } = this.#actor;
    const file = this.#file;
    if (file === undefined) return;
    this.#actor.do(async ({ environment, lane }) => {
      ledger.takesIn(file.carried);
      const { added } = await importQueue(environment, file.blob).catch(onlyByNewerApp);
      if (!lane.alive || added === undefined) return;
      ledger.tookIn(file.carried);
      world.scheduler.trace(`${added} changes are taken in`);
    });
  }
}

/** Accepts only that a file with changes of a newer version waits for that version. */
function onlyByNewerApp(failure: unknown): { added?: number } {
  if (failure instanceof Error && failure.message.includes('newer version')) return {};
  throw failure;
}

async function idsIn(blob: Blob): Promise<string[]> {
  const [, contents = ''] = new TextDecoder().decode(await blob.arrayBuffer()).split('\n', 2);
  return (JSON.parse(contents) as { entries: OutboxEntry[] }).entries.map(({ id }) => id);
}
