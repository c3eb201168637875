import { type LightMyRequestResponse } from 'fastify';
import { type BatchAnswer, type BatchedChange } from '../../src/domain/protocol/batch.ts';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { type AnyResourceName } from '../../src/domain/resource.ts';
import { type Client, type TestFile, signedIn } from './harness.ts';
import { sha256, picture } from './samples.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { named } from './staging-client.ts';

/** Sends a batch of changes with its files. */
export function sendBatch(
  { post }: Pick<Client, 'post'>,
  changes: readonly object[],
  files: readonly TestFile[] = [],
): Promise<LightMyRequestResponse> {
  if (files.length === 0) return post(CHANGES_PATH, { changes });
  const form = new FormData();
  form.append('changes', JSON.stringify(changes));
  for (const { bytes, name, type } of files) form.append(sha256(bytes), new File([bytes], name, { type }), name);
  return post(CHANGES_PATH, form);
}

/** The parsed lines of an answer. */
export function linesOf({ body }: Pick<LightMyRequestResponse, 'body'>): BatchAnswer[] {
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BatchAnswer);
}

let count = 0;

/** A change with its own key. */
export function change(
  op: BatchedChange['op'],
  resource: AnyResourceName,
  more: Partial<BatchedChange> = {},
): BatchedChange {
  count += 1;
  return { key: `change-${count}-of-this-test`, op, resource, ...more };
}

export const png = async (colour: string): Promise<TestFile> => {
  return { field: 'image', bytes: await picture('png', colour), name: `${colour}.png`, type: 'image/png' };
};

/** A server, and a logo for the partners of a test. */
export async function world() {
  const server = await signedIn();
  const logo = await png('#123456');
  const partner = (id: string, name: string) =>
    change('create', 'partners', { id, fields: { name }, files: [named('image', logo.bytes, 'logo.png')] });
  const send = (...changes: readonly object[]) => sendBatch(server.admin, changes, [logo]);
  const names = async () =>
    (await server.admin.get(partners.endpoints.list)).json().map(({ name }: { name: string }) => name);
  return { ...server, logo, partner, send, names };
}

export const statuses = (answer: Awaited<ReturnType<typeof sendBatch>>) => linesOf(answer).map(({ status }) => status);
