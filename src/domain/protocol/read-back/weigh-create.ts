import { fieldOf, type Resource, type ServerRecord } from '../../resource.ts';
import { resourceOf } from '../../resources/index.ts';
import { fileEvidence, type Grade, gradeOf, textEvidence } from './evidence.ts';
import { NOTHING_LEARNED } from './learned.ts';
import { newRowIds, showsCreate } from './likeness.ts';
import type { Attempt, Finding, Reader, Sent, SentFile } from './reader.ts';
import { freshFiles, storedCopies } from './stored-files.ts';

type Create = Sent & { readonly op: 'create' };

/** A row added since the baseline that no other known change explains, and what speaks for its being the created one. */
interface Candidate {
  readonly id: number;
  readonly grade: Grade;
  /** Its pictures, or without any its documents, are there byte for byte. */
  readonly isExact: boolean;
  readonly missing: readonly SentFile[];
  readonly others: number;
}

/** The largest number of new rows that are looked at one by one. More than these are a question anyway. */
const MOST_CANDIDATES = 50;
/** How many ids after the last known one are tried when a list shows nothing new. */
const PROBED = 3;

/**
 * Finds a create's row among those added since the baseline, close to the back end: every new row is read, with its files.
 * A confirmed create whose row cannot be seen is `done` without an id.
 */
export async function weighCreate(reader: Reader, sent: Create, attempt: Attempt): Promise<Finding> {
  const candidates: Candidate[] = [];
  const records = await newRecords(reader, sent, attempt);
  // with one row that has the texts and as many files, a confirmation needs no download
  const isCounting = attempt.confirmed === true && records.length === 1;
  for (const record of records) candidates.push(await weighed(reader, sent, record, { ...attempt, isCounting }));
  return attempt.confirmed === true ? confirmedAs(candidates) : judged(candidates, attempt);
}

/** Without an answer: one row of ours is the created one. Anything else that is new needs a person. */
function judged(candidates: readonly Candidate[], attempt: Attempt): Finding {
  const isOpen = attempt.now() < attempt.endsBy;
  const ours = candidates.filter(({ grade }) => grade === 'ours');
  const exact = ours.filter(({ isExact }) => isExact);
  const found = exact.length > 0 ? exact : ours.length === 1 ? ours : onlyLikely(candidates);
  const [first] = found;
  // images are stored one by one
  if (first !== undefined && (first.missing.length === 0 || !isOpen)) return doneAs(found);
  if (candidates.length === 0) attempt.onNothingFound?.();
  if (isOpen) return { found: 'too-early', until: attempt.endsBy };
  return candidates.length === 0 ? { found: 'nothing' } : { found: 'question', ids: idsOf(candidates) };
}

/** After a confirmation, every file of the request is stored: a row that lacks them is somebody else's. */
function confirmedAs(candidates: readonly Candidate[]): Finding {
  const ours = candidates.filter(({ grade }) => grade === 'ours');
  const exact = ours.filter(({ isExact }) => isExact);
  if (exact.length > 0) return doneAs(exact);
  if (ours.length > 0) return doneAs(ours);
  const whole = onlyLikely(candidates).filter(({ missing }) => missing.length === 0);
  const only = candidates.filter(({ missing, others }) => missing.length === 0 && others === 0);
  if (whole.length > 0 || (only.length === 1 && candidates.length === 1)) {
    return doneAs(whole.length > 0 ? whole : only);
  }
  return candidates.length === 0
    ? { found: 'done', duplicates: [], missing: [] }
    : { found: 'question', ids: idsOf(candidates) };
}

/** The only new row, if it is likely ours. */
function onlyLikely(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.length === 1 ? candidates.filter(({ grade }) => grade === 'likely') : [];
}

/** The first row is the created one. The others, of the same grade, were created by a repeat of the request. */
function doneAs([first, ...others]: readonly Candidate[]): Finding {
  return {
    found: 'done',
    ...(first && { id: first.id }),
    duplicates: idsOf(others),
    missing: first?.missing ?? [],
  };
}

function idsOf(candidates: readonly Candidate[]): number[] {
  return candidates.map(({ id }) => id);
}

/** Fetches the records added since the baseline, oldest first. */
async function newRecords(reader: Reader, sent: Create, attempt: Attempt): Promise<ServerRecord[]> {
  const resource = resourceOf(sent.resource);
  const { ids: known, after = 0 } = attempt.baseline;
  const isPart = attempt.baseline.after !== undefined && reader.newest !== undefined;
  const rows = (await (isPart ? reader.newest?.(resource) : reader.rows(resource))) ?? [];
  // without a baseline, the list's columns narrow down thousands of rows
  const likely = known === undefined ? rows.filter((row) => showsCreate(resource, sent, row)) : rows;
  const ids = newRowIds(likely, known ?? [], attempt.isClaimed)
    .filter((id) => id > after)
    .toSorted((one, other) => one - other);
  const records: ServerRecord[] = [];
  for (const id of ids.slice(0, MOST_CANDIDATES)) {
    const record = await reader.record(resource, id);
    if (record !== undefined) records.push(record);
  }
  const isQuiet = records.length === 0 && (attempt.confirmed === true || attempt.now() >= attempt.endsBy);
  return isQuiet ? unlisted(reader, resource, known ?? [], attempt) : records;
}

/** The records behind the last known id that a list does not show yet: lists are cached more often than records. */
async function unlisted(
  reader: Reader,
  resource: Resource,
  known: readonly number[],
  { isClaimed }: Attempt,
): Promise<ServerRecord[]> {
  const last = Math.max(0, ...known);
  const records: ServerRecord[] = [];
  for (let id = last + 1; id <= last + PROBED && reader.peek !== undefined; id += 1) {
    const record = isClaimed(id) ? undefined : await reader.peek(resource, id);
    if (record !== undefined) records.push(record);
  }
  return records;
}

async function weighed(
  reader: Reader,
  sent: Create,
  record: ServerRecord,
  { learned = NOTHING_LEARNED, foundNothing = false, isCounting }: Attempt & { readonly isCounting: boolean },
): Promise<Candidate> {
  const resource = resourceOf(sent.resource);
  const texts = textEvidence(learned, resource, sent.values, record);
  const fresh = freshFiles({ resource, record }, allFileFields(sent), undefined);
  const isCounted = isCounting && texts === 'same' && fresh.length === sent.files.length;
  const copies = isCounted
    ? fresh.map(({ field }) => ({ field, sha256: undefined }))
    : await storedCopies(reader, fresh, sent.files);
  const files = fileEvidence(learned, sent.files, copies);
  const isPicture = ({ field }: SentFile) => fieldOf(resource, field)?.kind !== 'file';
  const telling = sent.files.some(isPicture) ? files.exact.filter(isPicture) : files.exact;
  const { missing, others, hasProof } = files;
  // a colleague's equal row has as many files as well, and is what turns up late
  const isLate = foundNothing && !hasProof && learned.listLag === undefined;
  const grade = isLate ? 'unclear' : gradeOf(texts, files, isPicture);
  return { id: record.id, grade, isExact: telling.length > 0, missing, others };
}

function allFileFields({ resource }: Create): readonly { readonly field: string }[] {
  return resourceOf(resource)
    .fields.filter(({ kind }) => kind === 'file' || kind === 'image' || kind === 'images')
    .map(({ name }) => ({ field: name }));
}
