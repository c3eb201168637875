import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { partner } from '../domain/outbox/samples.ts';
import { answers, openApp } from './page.tsx';
import { stubResizeObserver } from './unmeasured.ts';

beforeEach(stubResizeObserver);

async function entries() {
  const { device } = await import('../../src/api/device.ts');
  return (await device()).browserEnvironment().outbox.entries.toArray();
}

test('a deletion can be undone for six seconds before it is sent', async () => {
  const { user } = await openApp('/partner-all');
  answers['GET /api/get-partners'] = () => [{ id: 7, ...partner('Acme') }];
  await user.click(await screen.findByRole('button', { name: 'Delete Acme' }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(async () => expect(await entries()).toHaveLength(1));
  const [deletion] = await entries();
  expect((deletion?.notBefore ?? 0) - (deletion?.createdAt ?? 0)).toBe(6000);
});
