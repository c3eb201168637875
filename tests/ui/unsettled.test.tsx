import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { decideOutcome, unsettledChange } from '../../src/api/unsettled.ts';
import { UNSETTLED } from '../../src/domain/protocol/unsettled.ts';
import { creating, entryOf, NOW } from '../domain/outbox/samples.ts';
import { soon } from '../harness/soon.ts';
import { openOutbox, outbox, press } from './open-outbox.tsx';

vi.mock('../../src/api/unsettled.ts', () => ({
  unsettledChange: vi.fn<typeof unsettledChange>(),
  decideOutcome: vi.fn<typeof decideOutcome>(),
}));

const message = 'New records may be this one, and the back end does not tell which.';
const entry = entryOf(creating(), {
  state: 'pending',
  reason: { code: UNSETTLED, message },
  delivery: ['attempt'],
  attempts: 1,
});

beforeEach(() => {
  vi.mocked(unsettledChange).mockResolvedValue({ since: new Date(NOW).toISOString(), candidates: [7] });
  vi.mocked(decideOutcome).mockResolvedValue(undefined);
});

test('shows a doubt that the gateway has set aside, with the records in question', async () => {
  openOutbox([entry]);
  const link = await screen.findByRole('link', { name: 'Record 7' });
  expect(link.getAttribute('href')).toBe('/partner-edit/7');
  expect(document.querySelector('.entry-state')?.textContent).toBe(`Did this save? – ${message}`);
});

test.each([
  ['Look again', { decision: 'look' }],
  ['It is there: this one', { decision: 'there', id: 7 }],
])('tells the gateway what its sender decides: %s', async (name, decision) => {
  openOutbox([entry]);
  await press(name);
  expect(decideOutcome).toHaveBeenCalledExactlyOnceWith(entry.idempotencyKey, decision);
  await soon(() => expect(outbox.retry).toHaveBeenCalledExactlyOnceWith(entry.id));
});

test('asks before a change is given up', async () => {
  openOutbox([entry]);
  await press('Give up');
  expect(decideOutcome).not.toHaveBeenCalled();
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Give up' }));
  await soon(() =>
    expect(decideOutcome).toHaveBeenCalledExactlyOnceWith(entry.idempotencyKey, { decision: 'give-up' }),
  );
});
