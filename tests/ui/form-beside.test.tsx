import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { emptyContent } from '../../src/resource/form/content.ts';
import { RecordFields } from '../../src/resource/form/record-fields.tsx';
import { openSession } from '../../src/resource/form/session.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useSession } from '../../src/stores/session.ts';
import {
  NADIA,
  answer,
  changeOf,
  control,
  entryOf,
  know,
  lastSaved,
  open,
  outbox,
  partner,
  press,
  refusedStreetLight,
  submit,
  type,
  world,
} from './open-form.tsx';

/** What is shown beside the fields of a form, and where the focus stays. */

vi.mock('../../src/resource/form/use-known.ts', () => ({
  useKnown: () => ({ records: [{ id: 2, name: 'Delta' }], suggestions: {} }),
}));

afterEach(() => useConnection.setState({ radio: true }));

/** What a screen reader reads after a control. */
const described = (input: HTMLInputElement) =>
  document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent ?? '';

test('shows the server’s refusal of a picture beside it', async () => {
  open('/partner-create');
  await type('Name', 'Delta');
  const reason = { code: 'refused', message: 'No.', errors: { image: ['The image is too dark.'] } };
  vi.mocked(outbox.enqueue).mockImplementation(async (draft) => {
    const entry = entryOf(changeOf(draft));
    vi.mocked(outbox.follow).mockResolvedValue({ ...entry, state: 'attention', reason } as OutboxEntry);
    return entry;
  });
  await submit('Add Partner');
  await screen.findByRole('alert');
  expect(described(await control('Image'))).toBe('The image is too dark.');
  expect(described(await control('Link'))).toBe('');
});

test('says offline that a picture is missing beside its field, once Save was pressed', async () => {
  useConnection.setState({ radio: false });
  open('/partner-create');
  await type('Name', 'Delta');
  expect(described(await control('Image'))).toBe('');
  await press('Add Partner');
  await waitFor(async () => expect(described(await control('Image'))).toMatch(/required/));
  expect(outbox.enqueue).not.toHaveBeenCalled();
});

test('reports a photo that the server would refuse as soon as it is picked', async () => {
  const blob = new File(['GIF89a'], 'huge.gif', { type: 'image/gif' });
  Object.defineProperty(blob, 'size', { value: 50_000_000 });
  const file = { key: 'huge', field: 'images', name: 'huge.gif', type: 'image/gif', blob };
  world.drafts.set('7/street-lights/new', { values: {}, files: [file], savedAt: Date.now() });
  open('/st-create');
  await screen.findByRole('button', { name: 'Remove huge.gif' });
  const tile = within(screen.getByRole('list', { name: 'New photos' }));
  expect(tile.getByText(/^Too large: 47.7 MB\. The limit is 10 MB\.$/)).toBeDefined();
});

test('moves or removes the photo whose button is pressed', async () => {
  const files = ['a.gif', 'b.gif', 'c.gif', 'd.gif'].map((name) => {
    const blob = new File(['GIF89a'], name, { type: 'image/gif' });
    return { key: name, field: 'images', name, type: 'image/gif', blob };
  });
  world.drafts.set('7/street-lights/new', { values: { brand: 'Osram' }, files, savedAt: Date.now() });
  open('/st-create');
  await press('Remove b.gif');
  await press('Move d.gif earlier');
  await submit('Add Street Light');
  expect(lastSaved()).toMatchObject({ files: [{ name: 'a.gif' }, { name: 'd.gif' }, { name: 'c.gif' }] });
});

test('adds pasted pictures to the field that takes several, if there is one of each', async () => {
  open('/project-create');
  await control('Client logo');
  const files = ['roof.gif', 'wall.gif'].map((name) => new File([`GIF89a ${name}`], name, { type: 'image/gif' }));
  const clipboardData = { files, types: ['Files'] };
  // the field listens once its effects have run, which is after it appears
  await act(async () => {});
  act(() => void document.dispatchEvent(Object.assign(new Event('paste', { cancelable: true }), { clipboardData })));
  await screen.findByRole('button', { name: 'Remove wall.gif' });
  expect(screen.getByRole('button', { name: 'Remove roof.gif' })).toBeDefined();
});

test('does not add a photo to a reopened form that was being read for its previous content', async () => {
  world.drafts.set('7/street-lights/new', { values: { capacity: '90W' }, files: [], savedAt: Date.now() });
  open('/st-create');
  await screen.findByText('Unsaved draft restored');
  const bytes = Promise.withResolvers<ArrayBuffer>();
  const photo = new File(['GIF89a'], 'lamp.gif', { type: 'image/gif' });
  photo.arrayBuffer = () => bytes.promise;
  await userEvent.upload(await control('Images'), photo);
  await press('Discard');
  await act(async () => bytes.resolve(new TextEncoder().encode('GIF89a').buffer as ArrayBuffer));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen.queryByRole('button', { name: 'Remove lamp.gif' })).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add Street Light' }).disabled).toBe(false);
});

test('shows the server’s errors beside their fields when a refused change is reopened', async () => {
  const refused = refusedStreetLight('a.gif');
  const reason = { code: 'refused', message: 'Not taken.', errors: { capacity: ['Too much for a lamp.'] } } as const;
  know('local-1', undefined, [{ ...refused, reason } as OutboxEntry], undefined, streetLights);
  open('/st-edit/local-1');
  expect(await screen.findByText(/Not taken\./)).toBeDefined();
  expect(described(await control('Capacity'))).toBe('Too much for a lamp.');
  expect(described(await control('Brand'))).toBe('');
});

test('mentions another record of the same name only once something is typed', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await control('Name');
  expect(screen.queryByText('Already exists:')).toBeNull();
  await type('Link', 'https://example.com');
  expect(screen.getByText('Already exists:')).toBeDefined();
});

test('neither focuses the first field after settings are saved, nor calls unchanged ones unsent', async () => {
  open('/sete-meta-update');
  await control('Phone');
  expect(screen.queryByText(/not sent yet/)).toBeNull();
  await type('Phone', '22');
  await submit('Submit');
  await answer('done');
  expect(document.activeElement).not.toBe(await control('Title'));
});

test('saved settings stay in the form while this device still has the old ones', async () => {
  open('/sete-meta-update');
  await type('Phone', '22');
  await submit('Submit');
  await answer('done');
  await waitFor(() => expect(screen.queryByText('Not saved yet')).toBeNull());
  expect((await control('Phone')).value).toBe('22');
  expect(screen.queryByRole('link', { name: 'Cancel' })).toBeNull();
});

test('a viewer of the settings has no list to go back to', async () => {
  useSession.setState({ user: { ...NADIA, role: 'viewer' } });
  open('/sete-meta-update');
  await screen.findByText(/Your role is viewer/);
  expect(screen.queryByRole('link', { name: 'Back' })).toBeNull();
});

const fieldsOf = (resource: typeof generators | typeof ups, values: Readonly<Record<string, string>>) => {
  const start = { ...emptyContent(resource), values };
  const form = { session: openSession({ fields: resource.fields, start }), dispatch: () => undefined };
  const idOf = ({ name }: { name: string }) => name;
  return render(
    <RecordFields
      form={form}
      readOnly={false}
      hints={{}}
      present={{}}
      idOf={idOf}
      suggestions={{}}
      notes={{}}
      presentActions={undefined}
    />,
  );
};

test('shows a heading only for sections with several fields', () => {
  fieldsOf(generators, {});
  const sections = [...document.querySelectorAll<HTMLElement>('.form-section')];
  expect(sections.map(({ ariaLabel }) => ariaLabel)).toEqual(['Details', 'Catalog', 'Photos']);
  const single = sections.map((section) => section.dataset['single'] === 'true');
  expect(single).toContain(true);
  expect(single).toContain(false);
  expect(sections.map((section) => section.querySelector('h2') === null)).toEqual(single);
  cleanup();
});
