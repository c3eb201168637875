import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Change } from '../../src/domain/outbox/vocabulary.ts';
import {
  SETTINGS,
  answer,
  control,
  entryOf,
  lastSaved,
  open,
  outbox,
  submit,
  type,
  typeOn,
  useWaiting,
  world,
} from './open-form.tsx';

test('keeps text typed during a save as a draft, and saves it with the next press', async () => {
  open('/sete-meta-update');
  await typeOn(['Phone', '22'], 'Submit', ['Title', 'Typed on']);
  await waitFor(() => expect(world.drafts.get('7/site-meta')?.values).toMatchObject({ title: 'Typed on' }));
  await answer('done');
  expect((await control('Title')).value).toBe('Typed on');
  expect((await control('Phone')).value).toBe('22');
  expect(screen.getByText('Not saved yet')).toBeDefined();
  expect(world.drafts.get('7/site-meta')?.values).toMatchObject({ title: 'Typed on', phone: '22' });
  await submit('Submit');
  expect(lastSaved()).toMatchObject({ values: { title: 'Typed on', phone: '22' } });
});

test('bases later typing on what was saved, even if it reverts part of it', async () => {
  open('/sete-meta-update');
  await typeOn(['Phone', '22'], 'Submit', ['Phone', '1']);
  await answer('pending');
  expect((await control('Phone')).value).toBe('1');
  await submit('Submit');
  expect(lastSaved()).toMatchObject({ values: { phone: '1' }, base: { values: { phone: '22' } } });
});

test('does not repair a refused change again with the next save', async () => {
  const values = { ...SETTINGS, title: 'Refused' };
  const change = {
    op: 'update',
    resource: 'site-meta',
    recordId: '1',
    files: [],
    values,
    base: { values: SETTINGS, imageIds: [] },
  } as const;
  useWaiting.setState([entryOf(change, { id: 'refused-1', state: 'attention' })], true);
  open('/sete-meta-update');
  await submit('Submit');
  await answer('attention');
  await type('Title', 'Mended');
  await submit('Submit');
  expect(outbox.repair).toHaveBeenCalledTimes(2);
  expect(vi.mocked(outbox.repair).mock.lastCall?.[1]).toMatchObject({
    values: { title: 'Mended' },
    base: change.base,
  });
  expect(vi.mocked(outbox.repair).mock.lastCall?.[1]).not.toHaveProperty('base.version');
  act(() => useWaiting.setState([], true));
  await answer('done');
  await type('Title', 'Another');
  await submit('Submit');
  expect(outbox.repair).toHaveBeenCalledTimes(2);
  expect(lastSaved()).toMatchObject({ values: { title: 'Another' } });
});

test.each([
  ['are being sent', { state: 'sending', delivery: ['attempt'] }, 'Sending'],
  ['may have arrived', { delivery: ['attempt'] }, 'Changed, checking whether it was saved'],
  ['were refused', { state: 'attention' }, 'Needs attention'],
] as const)('does not call settings unsent that %s', async (_, more, words) => {
  const base = { values: SETTINGS, imageIds: [] };
  const values = { ...SETTINGS, phone: '22' };
  const change = { op: 'update', resource: 'site-meta', recordId: '1', files: [], values, base } as const;
  useWaiting.setState([entryOf(change, more)], true);
  open('/sete-meta-update');
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.queryByText('Saved on this device, not sent yet')).toBeNull();
});

test('can revert a waiting text', async () => {
  const change = {
    op: 'update',
    resource: 'site-meta',
    recordId: '1',
    files: [],
    values: { ...SETTINGS, phone: '22' },
    base: { values: SETTINGS, imageIds: [] },
  };
  useWaiting.setState([entryOf(change as Change)], true);
  open('/sete-meta-update');
  expect(await screen.findByText('Saved on this device, not sent yet')).toBeDefined();
  await type('Phone', '1');
  await submit('Submit');
  expect(lastSaved()).toMatchObject({ values: { phone: '1' }, base: { values: { phone: '22' } } });
});
