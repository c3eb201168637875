import {
  expectedBytes,
  type Learned,
  learnFile,
  learnLag,
  learnText,
  NOTHING_LEARNED,
} from '../../../src/domain/protocol/read-back/learned.ts';
import type { Reader, SentFile } from '../../../src/domain/protocol/read-back/reader.ts';
import { steadyReading } from '../../../src/domain/protocol/read-back/stored-files.ts';
import { isValue } from '../../../src/domain/fields.ts';
import { type ServerRecord, textOf } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import type { Journal } from './journal.ts';
import type { Work } from './work.ts';

const NAME = 'back end';

/** What this gateway has learned about its back end, kept in the journal. */
export class Learning {
  readonly #journal: Pick<Journal, 'learned' | 'keepLearned'>;
  #learned: Learned | undefined;

  constructor(journal: Pick<Journal, 'learned' | 'keepLearned'>) {
    this.#journal = journal;
  }

  async learned(): Promise<Learned> {
    this.#learned ??= { ...NOTHING_LEARNED, ...(await this.#journal.learned<Learned>(NAME)) };
    return this.#learned;
  }

  /** Learns from a record right after a change of it was confirmed. `stored`: the sent files with their stored names. */
  async fromConfirmed(
    reader: Reader,
    { target, values }: Pick<Work, 'target' | 'values'>,
    record: ServerRecord,
    stored: readonly (SentFile & { readonly name: string })[],
  ): Promise<void> {
    if (target.op !== 'create' && target.op !== 'update') return;
    const before = await this.learned();
    let learned = before;
    for (const { name } of resourceOf(target.resource).fields.filter(isValue)) {
      const field = `${target.resource}.${name}`;
      learned = learnText(learned, field, values[name] ?? '', textOf(record[name]));
    }
    for (const file of stored) {
      if (file.name === '' || expectedBytes(learned, file) !== 'unknown') continue;
      const { sha256, isSteady } = await steadyReading(reader, file.name, [file]);
      if (isSteady) learned = learnFile(learned, file, sha256);
    }
    await this.#keep(before, learned);
  }

  /** Notes that a confirmed row appeared in its list only after so many milliseconds. */
  async fromLag(lag: number): Promise<void> {
    const before = await this.learned();
    await this.#keep(before, learnLag(before, lag));
  }

  async #keep(before: Learned, learned: Learned): Promise<void> {
    if (learned === before) return;
    this.#learned = learned;
    await this.#journal.keepLearned(NAME, learned);
  }
}
