import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Letter } from '../../server/accounts/mail.ts';
import { mailOver } from '../../server/accounts/mail.ts';
import { addUser } from '../../server/stores/sql/users.ts';
import { ADMIN, signedIn, testSettings } from './harness.ts';
import { OMAR, PASSWORD, NEW, withRole, list, idOf, invite } from './people-client.ts';

const DAY = 24 * 60 * 60_000;

test('invites by a link that works once, for its address and role only', async () => {
  const { admin, client } = await signedIn();
  const made = (await invite(admin)).json();
  expect(made).toMatchObject({ message: 'Link for Omar Faruk created', mailed: false });
  expect((await list(admin)).invitations).toMatchObject([{ ...OMAR, role: 'editor' }]);
  const guest = await client();
  await guest.get('/api/user');
  expect((await guest.post('/api/link/look', { token: made.token })).json()).toEqual({
    ...OMAR,
    purpose: 'invitation',
  });
  const weak = await guest.post('/api/link/take', { token: made.token, new_password: 'short', name: 'Omar' });
  expect(Object.keys(weak.json().errors)).toEqual(['new_password']);
  const taken = await guest.post('/api/link/take', { token: made.token, name: 'Omar F.', ...NEW });
  expect(taken.json()).toEqual({ message: 'Your password is set. Please sign in.', email: OMAR.email });
  const again = await guest.post('/api/link/take', { token: made.token, name: 'Mallory', ...NEW });
  const message = 'This link no longer works. Ask for a new one.';
  expect([again.statusCode, again.json()]).toEqual([404, { message, code: 'link-gone' }]);
  const signIn = await guest.signIn(OMAR.email, PASSWORD);
  expect(signIn.json().user).toMatchObject({ name: 'Omar F.', role: 'editor' });
  expect(signIn.json().user).not.toHaveProperty('owes');
  expect(await list(admin)).toMatchObject({ people: [{}, { name: 'Omar F.' }], invitations: [] });
});

test('lists no expired invitation', async () => {
  const clock = { at: Date.now() };
  const { app, admin } = await signedIn({}, { now: () => clock.at });
  await invite(admin);
  clock.at += 7 * DAY - 60_000;
  const { email } = OMAR;
  expect((await list(admin)).invitations).toMatchObject([{ email }]);
  // The use is recorded after the answer; otherwise the session would be idle for a week.
  const used = () => app.services.db.selectFrom('tokens').select('used_at').executeTakeFirst();
  await expect.poll(used).toEqual({ used_at: new Date(clock.at).toISOString() });
  clock.at += 60_001;
  expect((await list(admin)).invitations).toEqual([]);
});

test('stores no link token in the database or in the log', async () => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const { app, admin } = await signedIn({ LOG_LEVEL: 'info' }, { logStream });
  const { token } = (await invite(admin)).json();
  await admin.post('/api/link/look', { token });
  expect(JSON.stringify(await app.services.db.selectFrom('links').selectAll().execute())).not.toContain(token);
  expect(lines.join('')).not.toContain(token);
});

test('ends an invitation after a week, by a newer one, and by its withdrawal', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { admin } = await signedIn({}, { now: () => at });
  const look = async (token: string) => (await admin.post('/api/link/look', { token })).statusCode;
  const first = (await invite(admin)).json().token;
  const second = (await invite(admin)).json().token;
  expect([await look(first), await look(second)]).toEqual([404, 200]);
  const [invitation] = (await list(admin)).invitations;
  await admin.post(`/api/people/invitations/${invitation?.id}/withdraw`, undefined);
  expect(await look(second)).toBe(404);
  const third = (await invite(admin)).json().token;
  // keeps the owner's session from being idle for too long
  at += 6 * DAY;
  expect(await look(third)).toBe(200);
  await admin.get('/api/user');
  at += DAY;
  expect(await look(third)).toBe(404);
});

test('creates one administrator from an invitation accepted twice at once', async () => {
  const { admin } = await signedIn();
  const { token } = (await invite(admin)).json();
  const answers = await Promise.all([1, 2].map(() => admin.post('/api/link/take', { token, name: 'Omar', ...NEW })));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404]);
});

test('refuses an invitation whose address has become an administrator, and keeps the link', async () => {
  const { app, admin } = await signedIn();
  const { token } = (await invite(admin)).json();
  await addUser(app.services, { ...OMAR, email: 'Omar@Example.com', password: PASSWORD, at: '2026-11-20T12:00:00Z' });
  const taken = await admin.post('/api/link/take', { token, name: 'Omar', ...NEW });
  const message = 'This email already belongs to an administrator.';
  expect([taken.statusCode, taken.json()]).toEqual([422, { message }]);
  expect((await admin.post('/api/link/look', { token })).statusCode).toBe(200);
});

test('refuses to invite an address twice, or without a valid address, name and role', async () => {
  const { admin } = await signedIn();
  const taken = await admin.post('/api/people/invitations', { email: ADMIN.email.toUpperCase(), role: 'viewer' });
  expect(taken.json().errors).toEqual({ email: ['This email already belongs to an administrator.'] });
  for (const email of ['nobody', '@example.com', 'nobody@', 'a@b@example.com', 'a b@example.com', 'a@example.com b']) {
    const odd = await admin.post('/api/people/invitations', { email, role: 'viewer' });
    expect([email, odd.json().errors]).toEqual([email, { email: ['The email must be a valid email address.'] }]);
  }
  const unreadable = await admin.post('/api/people/invitations', { ...OMAR, name: 'a\u0007b', role: 'viewer' });
  expect(unreadable.json().errors).toEqual({ name: ['The name contains characters that cannot be read.'] });
  const role = await admin.post('/api/people/invitations', { ...OMAR, role: 'king' });
  expect(role.json().errors).toEqual({ role: ['The selected role is invalid.'] });
});

test('refuses an unreadable name with a link, and a password equal to the user’s address or name', async () => {
  const { admin } = await signedIn();
  const { token } = (await invite(admin)).json();
  const errorsOf = async (more: object) =>
    (await admin.post('/api/link/take', { token, ...NEW, ...more })).json().errors;
  expect(await errorsOf({ name: ' ' })).toEqual({ name: ['The name field is required.'] });
  expect(await errorsOf({ name: 'x'.repeat(101) })).toEqual({
    name: ['The name may not be greater than 100 characters.'],
  });
  expect(await errorsOf({ name: 'a\u0007b' })).toEqual({ name: ['The name contains characters that cannot be read.'] });
  const own = { new_password: OMAR.email, new_password_confirmation: OMAR.email };
  expect(await errorsOf(own)).toEqual({ new_password: ['The new password must not be your email or name.'] });
  expect(await errorsOf({ name: PASSWORD.toUpperCase() })).toEqual({
    new_password: ['The new password must not be your email or name.'],
  });
  expect((await admin.post('/api/link/take', { token, ...NEW, name: 'x'.repeat(100) })).statusCode).toBe(200);
});

test('resets a password by a link that ends all sessions once used', async () => {
  const server = await signedIn();
  const editor = await withRole(server, 'editor');
  const id = await idOf(server.admin, 'editor@example.com');
  const { token } = (await server.admin.post(`/api/people/${id}/reset`, undefined)).json();
  expect((await editor.get('/api/user')).statusCode).toBe(200);
  const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  expect((await editor.post('/api/link/take', { token, ...next })).statusCode).toBe(200);
  expect((await editor.get('/api/user')).statusCode).toBe(401);
  expect((await editor.signIn('editor@example.com', PASSWORD)).statusCode).toBe(422);
  const signIn = await editor.signIn('editor@example.com', next.new_password);
  expect(signIn.json().user).toMatchObject({ name: 'editor', role: 'editor' });
});

test('ends links to set a password when the password changes in another way', async () => {
  const server = await signedIn();
  const editor = await withRole(server, 'editor');
  const id = await idOf(server.admin, 'editor@example.com');
  const { token } = (await server.admin.post(`/api/people/${id}/reset`, undefined)).json();
  const invited = (await invite(server.admin)).json();
  const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  expect((await editor.post('/api/change-password', { previous_password: PASSWORD, ...next })).statusCode).toBe(200);
  expect((await editor.post('/api/link/take', { token, ...NEW })).statusCode).toBe(404);
  expect((await editor.post('/api/link/take', { token: invited.token, name: 'Omar', ...NEW })).statusCode).toBe(200);
});

test('mails links to the configured public host name when a mail server is set', async () => {
  const letters: Letter[] = [];
  const sendMail = async (letter: Letter) => void letters.push(letter);
  const { admin, app } = await signedIn(
    {
      SMTP_URL: 'smtp://mail.example.com',
      PUBLIC_HOST: 'localhost',
      BRAND_LABEL: 'Northern Power',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    { sendMail },
  );
  const made = (await invite(admin)).json();
  expect(made).toMatchObject({ message: 'The link is on its way to Omar Faruk', mailed: true });
  expect(letters).toMatchObject([{ to: OMAR.email, subject: 'Your invitation to Northern Power' }]);
  const until = (iso: string) => iso.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  expect(letters[0]?.text).toBe(
    'Administrator invites you to the back office of Northern Power.\n\n' +
      `https://localhost/welcome#${made.token}\n\n` +
      `The link works once, until ${until(made.expiresAt)}. Nobody else needs it: do not pass it on.\n`,
  );
  await addUser(app.services, { ...OMAR, password: PASSWORD, at: '2026-11-20T12:00:00Z' });
  const id = await idOf(admin, OMAR.email);
  await admin.post(`/api/people/${id}/reset`, undefined);
  expect(letters[1]?.to).toBe(OMAR.email);
  // whatever port the request names
  const headers = { 'x-forwarded-proto': 'https', host: 'localhost:8443' };
  await admin.get('/api/user', headers);
  await admin.post(`/api/people/${id}/reset`, undefined, headers);
  expect(letters[2]?.text).toContain('\nhttps://localhost/welcome#');
  expect(letters[1]?.text).toMatch(
    /^Administrator lets you set a new password for the back office of Northern Power\./,
  );
});

test('creates the link even when the mail server fails, and logs that', async () => {
  const log: string[] = [];
  const logStream = { write: (line: string) => void log.push(line) };
  const sendMail = () => Promise.reject(new Error('refused'));
  const { admin } = await signedIn({ LOG_LEVEL: 'error' }, { sendMail, logStream });
  expect((await invite(admin)).json()).toMatchObject({ mailed: false, token: expect.any(String) });
  expect(log.map((line) => JSON.parse(line).msg)).toEqual(['signed in', 'administrator invited', 'mail not sent']);
});

test('derives the name from an address without one, and refuses an address that is too long', async () => {
  const { admin } = await signedIn();
  const asked = (email: string) => admin.post('/api/people/invitations', { email, role: 'viewer' });
  expect((await asked('omar@example.com')).json().message).toBe('Link for omar created');
  const longest = `${'x'.repeat(242)}@example.com`;
  const named = { email: longest, name: 'Omar', role: 'viewer' };
  expect((await admin.post('/api/people/invitations', named)).statusCode).toBe(200);
  expect((await asked(`x${longest}`)).json().errors).toEqual({ email: ['The email must be a valid email address.'] });
});

test('delivers a letter to a mail server', async () => {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.write('220 test\r\n');
    socket.on('data', (data) => {
      const text = data.toString();
      heard.push(text);
      if (text.includes('\r\n.\r\n')) socket.write('250 taken\r\n');
      else if (text.startsWith('DATA')) socket.write('354 go on\r\n');
      else if (!heard.some((one) => one.startsWith('DATA'))) socket.write('250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const send = mailOver({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'voltdesk@example.com' });
  await send?.({ to: OMAR.email, subject: 'Hello', text: 'A link' });
  expect(heard.join('')).toMatch(/MAIL FROM:<voltdesk@example.com>[^]*RCPT TO:<omar@example.com>[^]*Subject: Hello/);
});

test('refuses a mail server without a public host name for its links', () => {
  expect(() => testSettings({ SMTP_URL: 'smtp://mail.example.com' })).toThrow('SMTP_URL: needs PUBLIC_HOST');
});

test.each(['look', 'take'])('limits link attempts from one address to twenty a minute: %s', async (use) => {
  const { admin } = await signedIn();
  const uses = Array.from({ length: 21 }, () => admin.post(`/api/link/${use}`, { token: 'a guess', ...NEW }));
  const answers = await Promise.all(uses);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array(20).fill(404), 429]);
  const payload = { token: 'a guess', ...NEW };
  const elsewhere = { method: 'POST', url: `/api/link/${use}`, payload, remoteAddress: '192.0.2.9' } as const;
  expect((await admin.send(elsewhere)).statusCode).toBe(404);
});
