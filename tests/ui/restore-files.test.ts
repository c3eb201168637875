import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { generators } from '../../src/domain/resources/generators.ts';
import { restoreFiles } from '../../src/resource/edit/restore-files.ts';
import type { OpenForm } from '../../src/resource/form/use-save.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';

const PDF = '%PDF-1.4\n%%EOF\n';
const CATALOG = { field: 'catalog', file: 'stored.pdf', name: 'manual.pdf' };

beforeEach(() => {
  useSession.setState({ token: 'token-1' });
  useNotifications.getState().take();
});

afterEach(() => void vi.unstubAllGlobals());

/** A form with these files, and what it is told. */
function formWith(files: readonly object[] = []) {
  const told: { type: string; busy?: boolean; files?: readonly { name: string; sha256?: string }[] }[] = [];
  const form = { session: { now: { files } }, dispatch: (event: never) => told.push(event) };
  return { told, form: form as unknown as OpenForm };
}

const answering = (answer: () => Response) => {
  const asked = vi.fn(async (_address: string, _request: RequestInit) => answer());
  vi.stubGlobal('fetch', asked);
  return asked;
};

const pdf = () => new Response(PDF, { headers: { 'Content-Type': 'application/pdf' } });

test('puts a kept file into the form under its name, while Save waits', async () => {
  const asked = answering(pdf);
  const { told, form } = formWith();
  await restoreFiles(generators, [CATALOG], form);
  expect(told.map(({ type, busy }) => [type, busy])).toEqual([
    ['reading', true],
    ['picked', undefined],
    ['reading', false],
  ]);
  expect(told[1]?.files).toMatchObject([{ field: 'catalog', name: 'manual.pdf', type: 'application/pdf' }]);
  expect(asked.mock.calls[0]?.[0]).toBe('/api/trash/files/stored.pdf');
  expect(asked.mock.calls[0]?.[1].headers).toMatchObject({ Authorization: 'Bearer token-1' });
});

test('adds no file that the form has already', async () => {
  answering(pdf);
  const first = formWith();
  await restoreFiles(generators, [CATALOG], first.form);
  const picked = first.told.find(({ type }) => type === 'picked')?.files ?? [];
  const again = formWith(picked);
  await restoreFiles(generators, [CATALOG], again.form);
  expect(again.told.map(({ type }) => type)).toEqual(['reading', 'reading']);
});

test.each([
  ['is gone', () => new Response('{}', { status: 404, headers: { 'Content-Type': 'application/json' } })],
  ['is a page of a proxy', () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })],
  ['cannot be fetched', () => Response.error()],
])('says that a file of the version could not be loaded if it %s', async (_why, answer) => {
  answering(answer);
  const { told, form } = formWith();
  await restoreFiles(generators, [CATALOG], form);
  expect(told.map(({ type, busy }) => [type, busy])).toEqual([
    ['reading', true],
    ['reading', false],
  ]);
  const toasts = useNotifications.getState().take();
  expect(toasts.map(({ message }) => message)).toEqual(['1 file of that version couldn’t be loaded.']);
});
