import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drafts, type FormDraft } from '../../src/api/drafts.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { theirFileNotes, theirNotes, twinNote } from '../../src/resource/form/field-notes.tsx';
import { openSession } from '../../src/resource/form/session.ts';
import { useOwnDraftKey } from '../../src/resource/form/use-draft.ts';
import { useKnown } from '../../src/resource/form/use-known.ts';
import { useSaveKey, useStrayDrops } from '../../src/resource/form/use-page-events.ts';

/** What a form has beside its fields: notes, keys of the page, drafts of several tabs, what other records have. */

const device = vi.hoisted(() => ({
  /** The list's rows and the whole records, once the device has looked for them. */
  rows: [] as { id: number; brand: string }[],
  whole: [] as { id: number; brand?: string; origin?: string }[],
  looks: 0,
}));
vi.mock('../../src/api/drafts.ts', () => ({ drafts: { read: vi.fn(), write: vi.fn(), remove: vi.fn() } }));
vi.mock('../../src/api/device.ts', () => ({
  device: async () => ({ cache: { readWhole: async () => ({ records: device.whole }) } }),
}));
vi.mock('../../src/api/sources.ts', () => ({
  listCopy: () => {
    let value: typeof device.rows | undefined;
    return {
      load: async () => {
        device.looks += 1;
        value = device.rows;
      },
      state: () => ({ value }),
    };
  },
}));

/** The locks of one browser, which several tabs ask for. */
function browserLocks() {
  const held = new Set<string>();
  return {
    request: async (name: string, work: () => Promise<unknown>) => {
      held.add(name);
      try {
        return await work();
      } finally {
        held.delete(name);
      }
    },
    query: async () => ({ held: [...held].map((name) => ({ name })) }),
  };
}

const useLocks = (locks: object | undefined) =>
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });

beforeEach(() => {
  vi.mocked(drafts.read).mockResolvedValue(undefined);
  device.looks = 0;
});
afterEach(() => {
  cleanup();
  useLocks(undefined);
});

const typed = (values: Readonly<Record<string, string>>) =>
  openSession({ fields: streetLights.fields, start: { values, files: [] } });
const known = [
  { id: 4, brand: 'Lumen', model: 'S1' },
  { id: 5, brand: 'Lumen', model: 'S2' },
];

test('notes a record of the same name below the last field of the name, with a link', () => {
  const notes = twinNote(streetLights, known, typed({ brand: 'Lumen', model: 'S2' }), undefined);
  expect(Object.keys(notes)).toEqual(['model']);
  render(<MemoryRouter>{notes['model']}</MemoryRouter>);
  expect(screen.getByRole('link', { name: 'Lumen S2' }).getAttribute('href')).toBe('/st-edit/5');
});

test('does not report a record as its own duplicate', () => {
  expect(twinNote(streetLights, known, typed({ brand: 'Lumen', model: 'S2' }), '5')).toEqual({});
  expect(twinNote(streetLights, known, typed({ brand: 'Lumen', model: 'S3' }), undefined)).toEqual({});
});

test('shows another person’s value of a field in full, and applies it on request', async () => {
  const dispatch = vi.fn();
  const notes = theirNotes({ session: typed({}), dispatch }, { brand: 'A long name', origin: '' });
  expect(Object.keys(notes)).toEqual(['brand', 'origin']);
  render(
    <div className="field">
      <input className="control" />
      {notes['brand']}
    </div>,
  );
  expect(screen.getByText('Someone else: “A long name”').title).toBe('A long name');
  await userEvent.click(screen.getByRole('button', { name: 'Use this' }));
  expect(dispatch).toHaveBeenCalledExactlyOnceWith({ type: 'typed', name: 'brand', value: 'A long name' });
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});

test('names the author of another person’s value, if that is known', () => {
  const form = { session: typed({}), dispatch: vi.fn() };
  const authors = { brand: 'Omar', origin: 'Anna', catalog: 'Omar' };
  const notes = { ...theirNotes(form, { brand: 'Mil', origin: '', model: 'X' }, authors) };
  render(
    <>
      {Object.values(notes)}
      {Object.values(theirFileNotes(['catalog', 'image'], authors))}
    </>,
  );
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    'Omar: “Mil”Use this',
    'Emptied by AnnaUse this',
    'Someone else: “X”Use this',
    'Replaced by Omar',
    'Replaced by someone else',
  ]);
});

function Keys({ onSubmit }: { onSubmit: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  useSaveKey(form);
  useStrayDrops();
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

test.each([
  ['Ctrl+S', { key: 's', ctrlKey: true }],
  ['⌘S', { key: 's', metaKey: true }],
  ['Ctrl+S with Caps Lock', { key: 'S', ctrlKey: true }],
])('%s saves the open form instead of the page, and does nothing once it is closed', (_, keys) => {
  const onSubmit = vi.fn<() => void>();
  const { unmount } = render(<Keys onSubmit={onSubmit} />);
  // false means that the browser is kept from saving the page
  expect(fireEvent.keyDown(document, keys)).toBe(false);
  expect(onSubmit).toHaveBeenCalledTimes(1);
  expect(fireEvent.keyDown(document, { ...keys, key: 'd' })).toBe(true);
  expect(fireEvent.keyDown(document, { key: 's' })).toBe(true);
  expect(onSubmit).toHaveBeenCalledTimes(1);
  unmount();
  expect(fireEvent.keyDown(document, keys)).toBe(true);
});

test('the save key neither saves the form under an open dialog nor the page', () => {
  const onSubmit = vi.fn<() => void>();
  render(<Keys onSubmit={onSubmit} />);
  const { unmount } = render(<dialog aria-modal="true" />);
  expect(fireEvent.keyDown(document, { key: 's', ctrlKey: true })).toBe(false);
  expect(onSubmit).not.toHaveBeenCalled();
  unmount();
  fireEvent.keyDown(document, { key: 's', ctrlKey: true });
  expect(onSubmit).toHaveBeenCalledOnce();
});

test.each(['dragOver', 'drop'] as const)('does not open a file in place of an open form (%s)', (event) => {
  const { unmount } = render(<Keys onSubmit={() => undefined} />);
  expect(fireEvent[event](document.body)).toBe(false);
  unmount();
  expect(fireEvent[event](document.body)).toBe(true);
});

const keyOfTab = async () => {
  const tab = renderHook(() => useOwnDraftKey('new'));
  await waitFor(() => expect(tab.result.current).toBeDefined());
  return { key: tab.result.current, close: tab.unmount };
};

test('gives each tab of a create form its own draft, and reuses the key of a closed tab', async () => {
  useLocks(browserLocks());
  const first = await keyOfTab();
  const second = await keyOfTab();
  expect([first.key, second.key]).toEqual(['new', 'new/2']);
  first.close();
  await act(async () => {});
  expect((await keyOfTab()).key).toBe('new');
});

test('prefers a free key that has a draft', async () => {
  useLocks(browserLocks());
  const draft: FormDraft = { values: {}, files: [], savedAt: 1 };
  vi.mocked(drafts.read).mockImplementation(async (key) => (key === 'new/3' ? draft : undefined));
  expect((await keyOfTab()).key).toBe('new/3');
  expect((await keyOfTab()).key).toBe('new');
});

test('gives a form its key even if drafts cannot be read', async () => {
  useLocks(browserLocks());
  vi.mocked(drafts.read).mockRejectedValue(new Error('No storage.'));
  expect((await keyOfTab()).key).toBe('new');
});

test('a page that has no locks shares one draft', async () => {
  expect([(await keyOfTab()).key, (await keyOfTab()).key]).toEqual(['new', 'new']);
});

test('does not use the key of one form for another', async () => {
  useLocks(browserLocks());
  const tab = renderHook(({ shared }) => useOwnDraftKey(shared), { initialProps: { shared: 'partners' } });
  await waitFor(() => expect(tab.result.current).toBe('partners'));
  tab.rerender({ shared: 'street-lights' });
  expect(tab.result.current).toBeUndefined();
  await waitFor(() => expect(tab.result.current).toBe('street-lights'));
});

function Known({ resource }: { resource: Parameters<typeof useKnown>[0] }) {
  const form = useRef<HTMLFormElement>(null);
  const { records, suggestions } = useKnown(resource, form);
  return (
    <form ref={form}>
      <input aria-label="One" />
      <input aria-label="Another" />
      <output>{JSON.stringify({ records, origin: suggestions['origin'] })}</output>
    </form>
  );
}

const told = () => JSON.parse(screen.getByRole('status').textContent) as unknown;

test('reads other records when the form is entered, preferring the list’s texts to older ones', async () => {
  device.rows = [1, 2].map((id) => ({ id, brand: `New ${id}` }));
  device.whole = [1, 2, 3].map((id) => ({ id, brand: 'Old', origin: 'Japan' }));
  render(<Known resource={streetLights} />);
  expect(told()).toEqual({ records: [], origin: [] });
  await userEvent.click(screen.getByLabelText('One'));
  const records = [1, 2].map((id) => ({ id, brand: `New ${id}`, origin: 'Japan' }));
  await waitFor(() => expect(told()).toEqual({ records, origin: ['Japan'] }));
  await userEvent.click(screen.getByLabelText('Another'));
  expect(device.looks).toBe(1);
  act(() => (document.activeElement as HTMLElement).blur());
  await userEvent.click(screen.getByLabelText('One'));
  expect(device.looks).toBe(2);
});

test('requests no other records for the site settings, of which there is one', async () => {
  render(<Known resource={siteMeta} />);
  await userEvent.click(screen.getByLabelText('One'));
  expect(device.looks).toBe(0);
  expect(told()).toMatchObject({ records: [] });
});

test('notes a partner of the same name below its name', () => {
  const session = openSession({ fields: partners.fields, start: { values: { name: 'delta' }, files: [] } });
  expect(Object.keys(twinNote(partners, [{ id: 1, name: 'Delta' }], session, undefined))).toEqual(['name']);
});
