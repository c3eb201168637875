import { ENTRY_SCHEMA, type OutboxEntry } from './vocabulary.ts';

/** Turns an entry as one version of the app wrote it into what the next version reads. */
type Upcast = (entry: OutboxEntry) => OutboxEntry;

/** By the version that wrote the entry. Each leads one version on, so that a queue of any age arrives. */
const UPCASTS: Readonly<Record<number, Upcast>> = {
  // Version 1 had no `doubt`: what was tried and not answered for good may have been carried out.
  1: (entry) => ({
    ...entry,
    ...(entry.attempts > 0 && entry.state !== 'done' && entry.state !== 'refused' ? { doubt: true } : {}),
  }),
  // Version 2 did not note what was mended under its key.
  2: (entry) => ({ ...entry, mended: true }),
};

/** The entry in today's shape. One that a newer version wrote comes back as it is. */
export function upcast(entry: OutboxEntry): OutboxEntry {
  const step = entry.schema < ENTRY_SCHEMA ? UPCASTS[entry.schema] : undefined;
  return step === undefined ? entry : upcast({ ...step(entry), schema: entry.schema + 1 });
}
