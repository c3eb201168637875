import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Field, isAttachment, isValue, wireName } from '../../src/domain/fields.ts';
import { type ListRow, recordAddress, type Resource, type ServerRecord, textOf } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { picturesOf } from '../sample-data/pictures.ts';
import type { Credentials } from '../stores/store.ts';
import { BackEnd, isModels, jsonIn } from '../stores/remote/back-end.ts';
import type { FormFile } from '../stores/remote/multipart.ts';
import { httpTransport } from '../stores/remote/transport.ts';
import type { Settings } from '../settings/settings.ts';
import { hiddenFields, listToChange } from '../stores/remote/shapes.ts';

/** What one step of the check has shown, in words. */
export interface Shown {
  /** `good`: as a stock back end. `note`: otherwise, and the gateway copes. `bad`: something has to be changed. */
  readonly state: 'good' | 'note' | 'bad';
  readonly text: string;
}

/** What a check needs. */
export interface CheckContext {
  readonly backEnd: BackEnd;
  readonly credentials: Credentials;
  /** An empty folder for the files that are sent. */
  readonly folder: string;
  /** API_MAX_FILES. */
  readonly maxFiles: number;
}

const USAGE = 'BACK_END_EMAIL=… BACK_END_PASSWORD=… npm run check-back-end -- [KIND]';
const MARKS = { good: 'ok  ', note: 'note', bad: 'BAD ' } as const;
const NOBODY: Credentials = { token: '', cookie: '', antiForgery: '' };
const ANSWER_TIME = 60_000;

/** Signs in and checks the back end of these settings. Returns a line per step. Throws readable errors. */
export async function checkInWords(
  { apiUrl, apiMaxFiles: maxFiles }: Pick<Settings, 'apiUrl' | 'apiMaxFiles'>,
  { email, password }: { readonly email: string; readonly password: string },
  kind: string | undefined,
): Promise<{ readonly lines: readonly string[]; readonly isBad: boolean }> {
  if (apiUrl === '' || email === '' || password === '') throw new Error(`Set API_URL, then:\n${USAGE}`);
  const resource = checkedKind(kind);
  const backEnd = new BackEnd(httpTransport(apiUrl), ANSWER_TIME);
  const visitor = await backEnd.renewed(NOBODY);
  const answer = await backEnd.signIn(visitor, new Map(Object.entries({ email, password })), '127.0.0.1');
  const { token } = (jsonIn(answer) ?? {}) as { readonly token?: string };
  if (token === undefined) throw new Error(`The back end did not sign ${email} in (${answer.status}).`);
  const credentials = await backEnd.renewed({ ...NOBODY, token });
  const folder = await mkdtemp(join(tmpdir(), 'voltdesk-check-'));
  try {
    const shown = await checkBackEnd({ backEnd, credentials, folder, maxFiles }, resource);
    const lines = shown.map(({ state, text }) => `${MARKS[state]} ${text}`);
    return { lines, isBad: shown.some(({ state }) => state === 'bad') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long a new row may take to appear in its list. Milliseconds. */
const APPEARS_WITHIN = 30_000;
const LOOKS_EVERY = 500;

/** Finds a kind by its name. Throws a readable error. */
export function checkedKind(name = 'partners'): Resource {
  const resource = RESOURCES.find((one) => one.name === name);
  if (resource !== undefined) return resource;
  throw new Error(`There is no kind "${name}". The kinds are: ${RESOURCES.map((one) => one.name).join(', ')}.`);
}

/**
 * Makes, edits and deletes one record of a kind and says what the back end does with it. The texts are those of an existing
 * record, so that they are valid. Throws what the back end refuses.
 */
export async function checkBackEnd(context: CheckContext, resource: Resource): Promise<readonly Shown[]> {
  const { backEnd, credentials } = context;
  const reader = backEnd.readerFor(credentials);
  const toChange = listToChange((await backEnd.read<object>(credentials, resource.endpoints.list)) ?? {});
  // nothing is made before a back end that the app cannot show
  if (toChange !== undefined) return [{ state: 'bad', text: toChange }];
  const before = await reader.rows(resource);
  const model = before[0] && (await reader.record(resource, before[0].id));
  if (model === undefined)
    throw new Error(`There are no ${resource.label.noun.many} yet, whose texts could be copied.`);
  const texts = textsLike(resource, model);
  const files = await filesOf(context, resource, 1);
  await post(context, resource.endpoints.create, { texts, files });
  const began = performance.now();
  const row = await newRow(context, resource, before);
  const shown: Shown[] = [lagOf(performance.now() - began)];
  try {
    const record = (await reader.record(resource, row.id)) ?? row;
    shown.push(textsShown(resource, texts, record), await fileShown(context, resource, files, record));
    if (resource.fields.some(({ kind }) => kind === 'images'))
      shown.push(await manyFiles(context, resource, row.id, texts));
  } finally {
    shown.push(await deleted(context, resource, row.id));
  }
  return shown;
}

/** The texts of another record, with a title of its own. A text that the record hides is made up. */
function textsLike({ fields, title }: Resource, model: ServerRecord): (readonly [string, string])[] {
  const mark = `Voltdesk check ${randomBytes(3).toString('hex')}`;
  const isMade = (field: Field) => isFree(field) && (field.name === title[0] || model[field.name] === undefined);
  return fields.filter(isValue).map((field) => [field.name, isMade(field) ? mark : textOf(model[field.name])] as const);
}

function isFree(field: Field): boolean {
  return field.kind === 'text' && field.format === undefined;
}

async function filesOf(
  { folder }: CheckContext,
  resource: Resource,
  count: number,
): Promise<(FormFile & { sha256: string })[]> {
  const pictures = await picturesOf(resource.name, count);
  const made: (FormFile & { sha256: string })[] = [];
  for (const field of resource.fields.filter(isAttachment)) {
    const isDocument = field.kind === 'file';
    if (count > 1 && field.kind !== 'images') continue;
    for (const [place, picture] of (isDocument ? [Buffer.from('%PDF-1.4\n%%EOF\n')] : pictures).entries()) {
      const path = join(folder, `${field.name}-${count}-${place}`);
      await writeFile(path, picture);
      const [type, ending] = isDocument ? ['application/pdf', 'pdf'] : ['image/jpeg', 'jpg'];
      const sha256 = createHash('sha256').update(picture).digest('hex');
      made.push({ name: wireName(field), path, fileName: `check.${ending}`, type, size: picture.length, sha256 });
    }
  }
  return made;
}

async function post(
  { backEnd, credentials }: CheckContext,
  path: string,
  form: Parameters<BackEnd['post']>[2],
): Promise<void> {
  const answer = await backEnd.post(credentials, path, form);
  const { message = '' } = (jsonIn(answer) ?? {}) as { readonly message?: string };
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}: ${message}`);
}

async function newRow(
  { backEnd, credentials }: CheckContext,
  resource: Resource,
  before: readonly ListRow[],
): Promise<ListRow> {
  const known = new Set(before.map(({ id }) => id));
  for (let waited = 0; waited <= APPEARS_WITHIN; waited += LOOKS_EVERY) {
    const rows = await backEnd.readerFor(credentials).rows(resource);
    const row = rows.find(({ id }) => !known.has(id));
    if (row !== undefined) return row;
    await setTimeout(LOOKS_EVERY);
  }
  throw new Error('The new record did not appear in its list within half a minute. Shorten the cache of the lists.');
}

function lagOf(milliseconds: number): Shown {
  if (milliseconds < 2 * LOOKS_EVERY) return { state: 'good', text: 'A new record appears in its list at once.' };
  const seconds = Math.ceil(milliseconds / 1000);
  return {
    state: 'note',
    text: `A new record appears in its list after ${seconds} s: lists are cached or a replica. Changes of a kind wait for that.`,
  };
}

function textsShown(resource: Resource, texts: readonly (readonly [string, string])[], record: ServerRecord): Shown {
  const hidden = hiddenFields(resource, record);
  if (hidden.length > 0) {
    return {
      state: 'bad',
      text: `A record does not show ${hidden.join(', ')} plainly. Have it shown, or edits without it are refused.`,
    };
  }
  const other = texts.filter(([name, text]) => textOf(record[name]) !== text).map(([name]) => name);
  if (other.length === 0) return { state: 'good', text: 'Texts come back as they were sent.' };
  return {
    state: 'note',
    text: `Texts come back otherwise (${other.join(', ')}): an observer. They are recognized if they stay readable.`,
  };
}

async function fileShown(
  { backEnd, credentials }: CheckContext,
  resource: Resource,
  sent: readonly { readonly name: string; readonly sha256: string; readonly type: string }[],
  record: ServerRecord,
): Promise<Shown> {
  const single = resource.fields.find(({ kind }) => kind === 'image')?.name;
  const name = record.images?.[0]?.image ?? textOf(record[single ?? '']);
  const stored = name === '' ? undefined : await backEnd.readerFor(credentials).sha256(name);
  if (stored === undefined) {
    return {
      state: 'note',
      text: 'Pictures cannot be read back at /uploads/: after a lost answer they are counted instead of compared.',
    };
  }
  if (sent.some(({ sha256 }) => sha256 === stored)) return { state: 'good', text: 'Pictures come back byte for byte.' };
  return {
    state: 'note',
    text: 'Pictures come back with other bytes (encoded anew): after a lost answer they are counted instead of compared.',
  };
}

async function manyFiles(
  context: CheckContext,
  resource: Resource,
  id: number,
  texts: readonly (readonly [string, string])[],
): Promise<Shown> {
  const { backEnd, credentials, maxFiles } = context;
  const count = async () => (await backEnd.readerFor(credentials).record(resource, id))?.images?.length ?? 0;
  const before = await count();
  const files = (await filesOf(context, resource, 24)).slice(0, Math.min(24, maxFiles));
  await post(context, recordAddress(resource, id), { texts, files });
  const added = (await count()) - before;
  if (added === files.length)
    return { state: 'good', text: `${added} files in one request are all stored (API_MAX_FILES).` };
  return {
    state: 'bad',
    text: `Of ${files.length} files in one request, ${added} are stored. Set API_MAX_FILES to ${added} or less.`,
  };
}

async function deleted(context: CheckContext, resource: Resource, id: number): Promise<Shown> {
  const { backEnd, credentials } = context;
  const path = `${resource.endpoints.delete}/${id}`;
  await post(context, path, undefined);
  const again = await backEnd.post(credentials, path, undefined);
  if (again.status === 404 && isModels(again))
    return { state: 'good', text: 'A deleted record is answered with its own 404.' };
  if (again.status === 404)
    return {
      state: 'note',
      text: 'A deleted record is answered like an unknown route: other records are read to tell them apart.',
    };
  return { state: 'bad', text: `A second delete is answered with ${again.status}. It has to be 404.` };
}
