import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import type { HistoryEntry } from '../../src/domain/history.ts';
import type { Change, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { deleting, editing, entryOf, NOW } from '../domain/outbox/samples.ts';
import { openOutbox } from './open-outbox.tsx';

const server = vi.hoisted(() => ({ readHistory: vi.fn<() => Promise<readonly HistoryEntry[]>>() }));
vi.mock('../../src/api/record-history.ts', () => server);

const BEFORE = { name: 'Acme', link: 'https://before.example' };
const [OMAR, ANNA] = ['Omar Faruk', 'Anna Berg'];

const by = (administrator: string, ...fields: readonly string[]): HistoryEntry => ({
  id: 1,
  at: '2026-11-20T10:00:00.000Z',
  administrator,
  action: 'update',
  changes: fields.map((field) => ({ field, before: 'a', after: 'b' })),
});

beforeEach(() => {
  useServerAbilities.setState({ history: true });
  server.readHistory.mockResolvedValue([by(OMAR, 'name'), by(ANNA, 'name', 'link')]);
});
afterEach(() => {
  useServerAbilities.setState({}, true);
  server.readHistory.mockReset();
});

/** Opens the comparison of a change with the server's version, in which other people have changed `theirs`. */
function open(change: object, theirs: Readonly<Record<string, string>>, version: string | undefined = 'v2') {
  const known = version === undefined ? {} : { version };
  const conflict = { theirs: { values: { ...BEFORE, ...theirs }, imageIds: [], ...known }, foundAt: NOW };
  const reason = { code: 'conflict', message: '' } as const;
  const entry: OutboxEntry = entryOf(change as Change, { state: 'attention', reason, conflict });
  openOutbox([entry], {}, { address: `/outbox/conflict/${entry.id}` });
}

const EDIT = editing('7', BEFORE, { name: 'Mine', link: 'https://mine.example' });

test('a comparison names who has changed the same field', async () => {
  open(EDIT, { name: 'Theirs' });
  expect(await screen.findByText(/^Edit partner, .* on this device\. Edited since by Omar Faruk\.$/)).toBeDefined();
});

test('a comparison names two people, each once', async () => {
  open(EDIT, { name: 'Theirs', link: 'https://theirs.example' });
  expect(await screen.findByText(/Edited since by Omar Faruk and Anna Berg\.$/)).toBeDefined();
});

test('the question about a deletion names who has changed the record', async () => {
  open({ ...deleting('7'), base: { values: BEFORE, imageIds: [] } }, { name: 'Theirs' });
  const words = 'Edited by Omar Faruk since you last saw it. Delete it anyway?';
  expect(await screen.findByText(words)).toBeDefined();
});

test.each<[string, () => void, string | undefined]>([
  ['offline', () => void server.readHistory.mockRejectedValue(new ApiFailure('unreachable', '')), 'v2'],
  ['of a field whose author is unknown', () => void server.readHistory.mockResolvedValue([by(ANNA, 'link')]), 'v2'],
  ['on a server without a history', () => void useServerAbilities.setState({}, true), 'v2'],
  ['of a record without a version', () => {}, undefined],
])('a comparison %s names nobody', async (_what, prepare, version) => {
  prepare();
  open(EDIT, { name: 'Theirs' }, version);
  await Promise.allSettled(server.readHistory.mock.results.map(({ value }) => value as unknown));
  expect(await screen.findByText(/Someone else has edited it since\.$/)).toBeDefined();
});
