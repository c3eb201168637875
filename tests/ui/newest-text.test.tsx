import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Change } from '../../src/domain/outbox/vocabulary.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import userEvent from '@testing-library/user-event';
import {
  control,
  entryOf,
  know,
  lastSaved,
  open,
  partner,
  reads,
  refusedEdit,
  submit,
  type,
  world,
} from './open-form.tsx';

/** 1. Saved offline at 1000, typed on at 3000 (draft), refused when the link came back at 5000. */
test('what was typed after the save, before the refusal arrived, is in the form', async () => {
  const refused = { ...refusedEdit('1'), createdAt: 1000, lastAttemptAt: 5000 };
  const base = { values: { name: 'Delta', link: '' }, imageIds: [], version: 'v1' };
  world.drafts.set('7/partners/1', {
    values: { name: 'Delta', link: 'https://typed-later.example' },
    files: [],
    savedAt: 3000,
    base,
  });
  know('1', partner(1, 'Alpha'), [refused]);
  open('/partner-edit/1');
  expect((await control('Link')).value).toBe('https://typed-later.example');
});

test('and it is not deleted by the save that repairs the refused change', async () => {
  const refused = { ...refusedEdit('1'), createdAt: 1000, lastAttemptAt: 5000 };
  const base = { values: { name: 'Delta', link: '' }, imageIds: [], version: 'v1' };
  world.drafts.set('7/partners/1', {
    values: { name: 'Delta', link: 'https://typed-later.example' },
    files: [],
    savedAt: 3000,
    base,
  });
  know('1', partner(1, 'Alpha'), [refused]);
  open('/partner-edit/1');
  await type('Name', 'Repaired');
  await new Promise((resolve) => setTimeout(resolve, 700));
  const kept = world.drafts.get('7/partners/1');
  expect(kept?.values['link']).toBe('https://typed-later.example');
});

test('a picture that a colleague replaced while another one was picked here is told, not taken for seen', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await userEvent.upload(await control('Image'), new File(['GIF89a mine'], 'mine.gif', { type: 'image/gif' }));
  await screen.findByRole('button', { name: /Remove mine/ });
  know('1', { ...partner(1, 'Delta'), image: 'colleague.png', version: 'v2' } as unknown as ServerRecord);
  const told = screen.queryByText(/changed on the server/) !== null;
  await submit('Update');
  const draft = lastSaved();
  const base = draft !== undefined && 'base' in draft ? draft.base : undefined;
  expect({ told, version: base?.version, picture: base?.files?.['image'] }).not.toEqual({
    told: false,
    version: 'v2',
    picture: 'colleague.png',
  });
});

test('a record that a colleague deleted while its form is open is told', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Typed');
  const before = document.body.textContent;
  reads('1', { view: undefined, record: undefined, missing: true } as never);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const after = document.body.textContent ?? '';
  expect({ before, after, told: /delet|no longer exists/i.test(after) }).toMatchObject({ told: true });
});

test('a delete waiting for a record that was never read does not open an empty form', async () => {
  const change = { op: 'delete', resource: 'partners', recordId: '9' };
  know('9', undefined, [entryOf(change as Change)]);
  open('/partner-edit/9');
  await waitFor(() => expect(document.querySelector('form,h1')).not.toBeNull());
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(document.querySelector('.record-form')).toBeNull();
});
