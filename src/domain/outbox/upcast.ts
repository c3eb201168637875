import { siteMeta } from '../resources/site-meta.ts';
import { ENTRY_SCHEMA, type OutboxEntry, type Possibility } from './vocabulary.ts';

/** An entry written by an older version of the app. Its shape is checked on access. */
type Stored = Readonly<Record<string, unknown>> & { readonly schema: number };

/** Converts an entry to the next schema version. */
type Upcast = (entry: Stored) => object;

/** By the version that wrote the entry. Each upcast advances by one version, so queues of any age can be read. */
const UPCASTS: Readonly<Record<number, Upcast>> = {
  // Version 1 had no `doubt`. An attempted change without a conclusive answer may have been executed.
  1: (entry) => ({
    ...entry,
    ...(Number(entry['attempts']) > 0 && entry['state'] !== 'done' && entry['state'] !== 'refused'
      ? { doubt: true }
      : {}),
  }),
  // Version 2 did not record repairs under the same key.
  2: (entry) => ({ ...entry, mended: true }),
  // Version 3 had seven states and four independent delivery flags.
  3: (entry) => {
    const { doubt, copied, mended, firstMayBeThere, knownIds, confirmed, partOf: _, ...rest } = entry;
    return {
      ...inPhase(rest),
      delivery: deliveryOf({ attempt: doubt, export: copied, repair: mended, 'earlier-payload': firstMayBeThere }),
      ...known({ baselineIds: knownIds, acceptedMessage: confirmed }),
    };
  },
  // Version 4 named duplicates differently, had its own operation for site meta, and repeated an edit's base image ids.
  4: ({ baselineIds, ...entry }) => ({
    ...entry,
    ...(isCreate(entry) ? known({ baselineIds }) : {}),
    change: changeOf(entry['change'] as { readonly op: string }),
    ...receiptOf(entry),
  }),
  // Version 5 split a change with many files among several entries. Each further entry becomes an edit that adds files.
  5: (entry) => {
    const { parentId: _, ...rest } = entry;
    return rest;
  },
};

function changeOf(change: { readonly op: string }): object {
  if (change.op !== 'save-settings') return change;
  return { ...change, op: 'update', resource: siteMeta.name, recordId: String(siteMeta.only), files: [] };
}

function isCreate({ change }: Readonly<Record<string, unknown>>): boolean {
  return (change as { readonly op?: unknown }).op === 'create';
}

function receiptOf({ receipt }: Readonly<Record<string, unknown>>): object {
  if (typeof receipt !== 'object' || receipt === null) return {};
  const { twins, ...told } = receipt as { readonly twins?: unknown };
  return { receipt: { ...told, ...known({ duplicates: twins }) } };
}

/** Converts an entry to the current schema. Returns an entry of a newer version unchanged. */
export function upcast(entry: OutboxEntry): OutboxEntry {
  const step = entry.schema < ENTRY_SCHEMA ? UPCASTS[entry.schema] : undefined;
  if (step === undefined) return entry;
  return upcast({ ...step(entry as unknown as Stored), schema: entry.schema + 1 } as OutboxEntry);
}

/** Converts a state of version 3 to a phase with that phase's facts only. */
function inPhase(entry: Readonly<Record<string, unknown>>): object {
  const { state, reason, notBefore, serverErrors, conflict, candidates, receipt, ...facts } = entry;
  switch (state) {
    case 'done':
      return { ...facts, state: 'done', receipt: receipt ?? { at: facts['createdAt'], message: '' } };
    case 'refused':
      return { ...facts, state: 'attention', reason: reason ?? UNTOLD, ...known({ candidates }) };
    case 'conflict':
      return { ...facts, state: 'attention', reason: reason ?? UNTOLD, ...known({ conflict }) };
    case 'sending':
      return { ...facts, state: 'sending', ...known({ reason, serverErrors }) };
    default:
      return { ...facts, state: 'pending', ...known({ reason, serverErrors, notBefore }) };
  }
}

const UNTOLD = { code: 'refused', message: 'The server refused it.' };

function deliveryOf(flags: Readonly<Record<Possibility, unknown>>): string[] {
  return Object.entries(flags).flatMap(([possibility, isSet]) => (isSet === true ? [possibility] : []));
}

function known(facts: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
}
