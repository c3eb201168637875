import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import PublicSiteScreen from '../../src/features/public-site/public-site-screen.tsx';
import { answer, press, refusal, sent, show } from './open-screen.tsx';

const HOOK = { id: 'h1', url: 'https://www.example.com/rebuild', createdAt: '2026-11-20T10:00:00Z', deliveries: [] };
const WAITING = {
  id: 'msg_2',
  createdAt: '2026-11-20T10:05:00Z',
  state: 'waiting',
  attempts: 2,
  status: 503,
  problem: 'It answered with 503.',
  nextAt: '2026-11-20T10:42:00Z',
};

function open(access: 'off' | 'public' | 'token', webhooks: readonly object[] = []) {
  answer('GET /api/content', { access, tokens: [{ id: 't1', name: 'Website', createdAt: '2026-11-20T10:00:00Z' }] });
  answer('GET /api/webhooks', webhooks);
  show(<PublicSiteScreen />);
}

test('says that nobody reads the content, and what switches it on', async () => {
  open('off');
  const region = await screen.findByRole('region', { name: 'Content' });
  expect(region.textContent).toContain('Nobody can read the content');
  expect(region.textContent).toContain('CONTENT');
  expect(screen.queryByRole('heading', { name: 'Tokens' })).toBeNull();
});

test('shows a new token once, to copy', async () => {
  open('token');
  await press('New token');
  answer('POST /api/content/tokens', { message: '', token: 'voltdesk_secret' });
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Shop');
  await press('Create token');
  const dialog = await screen.findByRole('dialog', { name: 'Token for Shop' });
  expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Token' }).value).toBe('voltdesk_secret');
  expect(sent('POST /api/content/tokens')).toEqual([{ name: 'Shop' }]);
});

test('shows beside the address why the server refuses it, and keeps what was typed', async () => {
  open('public');
  await press('New webhook');
  answer(
    'POST /api/webhooks',
    refusal({ url: ['This address leads into the network of this server. WEBHOOKS_INSIDE=yes allows it.'] }),
  );
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Address to call' });
  await userEvent.type(input, 'http://127.0.0.1/');
  await press('Add webhook');
  expect(await screen.findByText(/leads into the network/)).toBeTruthy();
  expect(input.value).toBe('http://127.0.0.1/');
});

test('says why a message waits and when it is tried again, and sends it again on request', async () => {
  open('public', [{ ...HOOK, deliveries: [WAITING] }]);
  const line = (await screen.findByText(HOOK.url)).closest('li') ?? document.body;
  expect(line.textContent).toContain('Waiting: It answered with 503. Next try');
  answer('POST /api/webhooks/deliveries/msg_2/send-again', { message: 'Sent again' });
  await press('Send again');
  expect(sent('POST /api/webhooks/deliveries/msg_2/send-again')).toHaveLength(1);
});
