import { fieldOf, type ServerRecord } from '../../resource.ts';
import { resourceOf } from '../../resources/index.ts';
import { fitsCreate, isAkinToCreate, newRowIds, resemblesCreate, showsCreate } from './likeness.ts';
import type { Attempt, Finding, Reader, Sent, SentFile } from './reader.ts';
import { holdsOneOf } from './stored-files.ts';

type Create = Sent & { readonly op: 'create' };

/** A row added since the baseline, and how likely it is the created one. */
interface Candidate {
  readonly record: ServerRecord;
  /** `proven`: its files match too. `fits`: its texts match. `resembles`: some of them match. */
  readonly likeness: 'proven' | 'fits' | 'resembles' | 'other';
  /** Sent files that it lacks. */
  readonly missing: readonly SentFile[];
}

/** Finds a create's row among those added since the baseline, over a bad link: by its texts, and by its pictures in doubt. */
export async function findCreateByTexts(reader: Reader, sent: Create, attempt: Attempt): Promise<Finding> {
  const all = ranked(await judged(reader, sent, attempt));
  if (attempt.confirmed === true) return doneAs(all, attempt);
  const sure = all.filter(({ likeness }) => likeness !== 'resembles');
  if (sure.length === 1) return doneAs(sure, attempt);
  return all.length > 0 ? { found: 'question', ids: all.map(({ record }) => record.id) } : nothingFound(attempt);
}

/** The possible rows, most likely first. */
function ranked(candidates: readonly Candidate[]): Candidate[] {
  return (['proven', 'fits', 'resembles'] as const).flatMap((one) =>
    candidates.filter(({ likeness }) => likeness === one),
  );
}

/** Reports the first candidate as the created row. It may be incomplete for now, because images are stored one by one. */
function doneAs([first, ...others]: readonly Candidate[], attempt: Attempt): Finding {
  if (first === undefined) return { found: 'done', duplicates: [], missing: [] };
  if (first.missing.length > 0 && attempt.confirmed !== true && attempt.now() < attempt.endsBy) {
    return { found: 'too-early', until: attempt.endsBy };
  }
  const duplicates = others.filter(({ likeness }) => likeness === first.likeness).map(({ record }) => record.id);
  return { found: 'done', id: first.record.id, duplicates, missing: first.missing };
}

function nothingFound({ now, endsBy }: Attempt): Finding {
  return now() < endsBy ? { found: 'too-early', until: endsBy } : { found: 'nothing' };
}

/** Fetches the records added since the baseline, oldest first. */
async function newRecords(reader: Reader, sent: Create, attempt: Attempt): Promise<ServerRecord[]> {
  const resource = resourceOf(sent.resource);
  const { ids: known } = attempt.baseline;
  const rows = await reader.rows(resource);
  // without a baseline, the list's columns narrow down thousands of rows
  const likely = known === undefined ? rows.filter((row) => showsCreate(resource, sent, row)) : rows;
  const records: ServerRecord[] = [];
  for (const id of newRowIds(likely, known ?? [], attempt.isClaimed).toSorted((one, other) => one - other)) {
    const record = await reader.record(resource, id);
    if (record !== undefined) records.push(record);
  }
  return records;
}

async function judged(reader: Reader, sent: Create, attempt: Attempt): Promise<Candidate[]> {
  const byTexts = (await newRecords(reader, sent, attempt)).map((record) => judgedByTexts(sent, record));
  // for a confirmed create, one row that fits is enough
  if (attempt.confirmed === true && byTexts.filter(({ likeness }) => likeness === 'fits').length === 1) return byTexts;
  const candidates: Candidate[] = [];
  for (const candidate of byTexts) candidates.push(await judgedByPictures(reader, sent, candidate, attempt));
  return candidates;
}

function judgedByTexts(sent: Create, record: ServerRecord): Candidate {
  const resource = resourceOf(sent.resource);
  const likeness = fitsCreate(resource, sent, record)
    ? 'fits'
    : resemblesCreate(resource, sent, record)
      ? 'resembles'
      : 'other';
  return { record, likeness, missing: [] };
}

/**
 * True if texts are not enough: a row with the same ones may be older or someone else's, or someone may have renamed the new
 * row. A create without files loses nothing if such a row is taken for its own.
 */
function isOpenByTexts(sent: Create, { baseline, confirmed }: Attempt, { record, likeness }: Candidate): boolean {
  if (likeness === 'fits') return confirmed !== true && (sent.files.length > 0 || baseline.ids === undefined);
  return likeness === 'other' && isAkinToCreate(resourceOf(sent.resource), sent, record);
}

/**
 * Judges a row by one of its files if its texts leave doubt: before the device gives up its bytes, the server has to hold some
 * of them. A picture belongs to one record. A catalogue belongs to many, and proves a row only if no picture was sent and the
 * row is new.
 */
async function judgedByPictures(
  reader: Reader,
  sent: Create,
  candidate: Candidate,
  attempt: Attempt,
): Promise<Candidate> {
  if (!isOpenByTexts(sent, attempt, candidate)) return candidate;
  const { record, likeness } = candidate;
  const resource = resourceOf(sent.resource);
  const pictures = sent.files.filter(({ field }) => fieldOf(resource, field)?.kind !== 'file');
  const isNew = attempt.baseline.ids !== undefined && likeness === 'fits';
  const telling = pictures.length === 0 && isNew ? sent.files : pictures;
  const isThere = await holdsOneOf(reader, { resource, record }, telling);
  if (likeness === 'fits') return { record, likeness: isThere ? 'proven' : 'resembles', missing: [] };
  return { record, likeness: isThere ? 'resembles' : likeness, missing: [] };
}
