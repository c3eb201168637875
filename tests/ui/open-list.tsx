import 'fake-indexeddb/auto';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { create } from 'zustand';
import { type ChangeDraft, outbox } from '../../src/api/outbox.ts';
import type { ListReading } from '../../src/api/reads.ts';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { type Resource, routesOf } from '../../src/domain/resource.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import ListScreen from '../../src/resource/list-screen.tsx';
import { useConnection } from '../../src/stores/connection.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { ConfirmHost } from '../../src/ui/confirm.tsx';
import { stubResizeObserver } from './unmeasured.ts';

vi.mock('../../src/api/reads.ts', () => ({
  useList: () => useReading(),
  useLookup: () => ({}),
  listedRows: async () => undefined,
  useListedRow: () => undefined,
}));
vi.mock('../../src/resource/csv/whole-rows.ts', () => ({ completeRows: async (_: unknown, rows: unknown) => rows }));

export const refresh = vi.fn<() => void>();
export const lamp = (id: number, brand: string, more: object = {}) =>
  ({
    recordId: String(id),
    brand,
    model: `M${id}`,
    capacity: `${id}0 W`,
    origin: 'Japan',
    version: 'v1',
    ...more,
  }) as unknown as PendingRow;
const LAMPS = [lamp(1, 'Philips'), lamp(2, 'Osram', { origin: 'Italy' }), lamp(3, 'Osram')];
const READ: ListReading = { rows: LAMPS, partial: false, refreshing: false, fetchedAt: Date.now(), refresh } as never;

export const useReading = create<ListReading>()(() => READ);

let narrow = false;

/** Opens the next list on a narrow screen. */
export function onNarrowScreen(): void {
  narrow = true;
}

beforeEach(() => {
  stubResizeObserver();
  narrow = false;
  window.scrollTo = () => undefined;
  window.matchMedia = (query) =>
    ({
      matches: query.includes(narrow ? 'max-width' : 'min-width'),
      addEventListener() {},
      removeEventListener() {},
    }) as unknown as MediaQueryList;
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman' }, token: 'token-1' });
  useConnection.setState({ radio: true, answers: true, portal: false });
  useNotifications.getState().take();
  vi.spyOn(outbox, 'enqueue').mockImplementation(async (draft, about) => entryOf(draft, about.title));
  vi.spyOn(outbox, 'follow').mockImplementation(async () => entryOf({ op: 'delete' } as never, ''));
  vi.spyOn(outbox, 'entry').mockResolvedValue(undefined);
  vi.spyOn(outbox, 'undo').mockResolvedValue(true);
});

afterEach(async () => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await vi.dynamicImportSettled();
});

let made = 0;
export const entryOf = (draft: ChangeDraft, title: string) => {
  made += 1;
  return {
    id: `e${made}`,
    state: 'pending',
    change: draft,
    title,
    createdAt: Date.now(),
    delivery: [],
    attempts: 0,
  } as unknown as OutboxEntry;
};

/** The enqueued drafts. */
export const saved = () => vi.mocked(outbox.enqueue).mock.calls.map(([draft]) => draft);
export const toasts = () => useNotifications.getState().take();

function Elsewhere() {
  const { pathname, search } = useLocation();
  return <p>{`went to ${pathname}${search}`}</p>;
}

/** Opens a list, by default of street lights, in its initial state, because a list remembers its last view. */
export async function openList(reading: Partial<ListReading> = {}, resource: Resource = streetLights) {
  const { list } = routesOf(resource);
  useReading.setState({ ...READ, ...reading }, true);
  const isEmpty = useReading.getState().rows?.[0] === undefined;
  render(
    <MemoryRouter initialEntries={[isEmpty ? list : `${list}?q=nothing-to-begin-with`]}>
      <main>
        <Routes>
          <Route path={list} element={<ListScreen resource={resource} />} />
          <Route path="*" element={<Elsewhere />} />
        </Routes>
      </main>
      <ConfirmHost />
    </MemoryRouter>,
  );
  await screen.findByRole('heading', { name: resource.label.many, level: 1 });
  if (!isEmpty) await press('Show all');
}

export const names = () =>
  screen.queryAllByRole('link', { name: /^Edit / }).map(({ ariaLabel }) => ariaLabel?.slice(5));
export const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
export const rowOf = (name: string) =>
  screen.getByRole('checkbox', { name: `Select ${name}` }).closest('tr') ?? document.body;
export const count = () => document.querySelector('.list-count')?.textContent;

/** Answers the open question. */
export async function answer(title: string, label: string): Promise<void> {
  const dialog = within(await screen.findByRole('alertdialog', { name: title }));
  fireEvent.click(dialog.getByRole('button', { name: label }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
}
