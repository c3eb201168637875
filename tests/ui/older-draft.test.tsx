import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { control, know, lastSaved, open, partner, submit, type, world } from './open-form.tsx';

test('a draft from before a field existed does not show and send that field empty', async () => {
  // stored by the version before "Link" was added; the update has loaded since
  const base = { version: 'v1', values: { name: 'Delta' }, imageIds: [], files: {} };
  world.drafts.set('7/partners/1', { values: { name: 'Delta Ltd' }, files: [], savedAt: Date.now(), base });
  know('1', { ...partner(1, 'Delta'), link: 'https://kept.example' } as unknown as ServerRecord);
  open('/partner-edit/1');
  await screen.findByText('Unsaved draft restored');
  const shown = (await control('Link')).value;
  await type('Name', 'Delta Limited');
  await submit('Update');
  const draft = lastSaved() as {
    values: Record<string, string>;
    base: { version?: string; values: Record<string, string> };
  };
  expect({ shown, sent: draft.values['link'], version: draft.base.version }).toEqual({
    shown: 'https://kept.example',
    sent: 'https://kept.example',
    version: 'v1',
  });
});

test('a repair that was typed and kept is not dropped because somebody pressed Retry in the Outbox', async () => {
  const { refusedEdit } = await import('./open-form.tsx');
  const values = { name: 'Delta', link: 'https://the-repair.example' };
  world.drafts.set('7/partners/1', {
    values,
    files: [],
    savedAt: 6000,
    base: { values: { name: 'Delta', link: '' }, imageIds: [] },
  });
  // refused at 5000, repaired in the form until 6000 (tab killed), Retry at 7000: refused again
  know('1', partner(1, 'Alpha'), [{ ...refusedEdit('1'), createdAt: 1000, lastAttemptAt: 7000 }]);
  open('/partner-edit/1');
  expect((await control('Link')).value).toBe('https://the-repair.example');
});

test('"Each change is shown under its field" is true of a picture, too', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Link', 'https://mine.example');
  know('1', { ...partner(1, 'Sigma'), image: 'colleague.png', version: 'v2' } as unknown as ServerRecord);
  await screen.findByText(/Each change is shown under its field/);
  expect(document.querySelector('.field-image')?.textContent).toMatch(/someone else/i);
});
