import { expect, test } from 'vitest';
import { REQUIREMENT_PATH, SECURITY_PATH, SIGN_IN_AGAIN } from '../../src/domain/protocol/second-factor.ts';
import { GIVES_RIGHTS } from '../../server/security/fresh.ts';
import { LEAST_ROLE } from '../../server/security/least-role.ts';
import { SoftPasskey } from '../harness/soft-passkey.ts';
import { startServer } from './harness.ts';
import { withRole } from './people-client.ts';
import { addPasskey, codeAt, MINUTE, NOON, SITE, world } from './second-factor-client.ts';

const ASKING = [
  `${SECURITY_PATH}/passkeys/options`,
  `${SECURITY_PATH}/passkeys/x/remove`,
  `${SECURITY_PATH}/authenticator`,
  `${SECURITY_PATH}/authenticator/remove`,
  `${SECURITY_PATH}/recovery-codes`,
  '/api/people/4711/reset-second-factor',
  '/api/people/invitations',
  '/api/people/4711/role',
  '/api/people/4711/reset',
  '/api/people/4711/remove',
  '/api/content/tokens',
  '/api/webhooks',
  '/api/backups/downloads',
  REQUIREMENT_PATH,
];

test('lets a user change sign-in methods within 15 minutes of a sign-in, and then only after another one', async () => {
  const { admin, clock } = await world();
  const refused = async () => {
    const codes = [];
    for (const url of ASKING) codes.push((await admin.post(url, {})).json().code === SIGN_IN_AGAIN ? url : undefined);
    return codes.filter((url) => url !== undefined);
  };
  clock.at = NOON + 15 * MINUTE;
  expect(await refused()).toEqual([]);
  clock.at += 1;
  expect(await refused()).toEqual(ASKING);
  const answer = await admin.post(ASKING.at(-1) ?? '', { required: 'no' });
  expect([answer.statusCode, answer.json().message]).toEqual([403, 'Sign in again to change this.']);
  await admin.signIn();
  expect(await refused()).toEqual([]);
  const unsaid = await admin.post(REQUIREMENT_PATH, {});
  expect([unsaid.statusCode, unsaid.json().message]).toEqual([200, 'A second factor is now optional']);
});

test('refuses to finish what another user began to set up', async () => {
  const server = await startServer({}, { now: () => NOON });
  const [one, other] = [await withRole(server, 'owner'), await withRole(server, 'editor')];
  const app = (await one.post(`${SECURITY_PATH}/authenticator`, {})).json();
  const code = codeAt(app.secret, NOON);
  const passkey = (await one.post(`${SECURITY_PATH}/passkeys/options`, {})).json();
  const response = new SoftPasskey().made({ ...SITE, challenge: passkey.options.challenge });
  const tries = [
    await other.post(`${SECURITY_PATH}/authenticator/take`, { ticket: app.ticket, code }),
    await other.post(`${SECURITY_PATH}/passkeys`, { ticket: passkey.ticket, response }),
  ];
  expect(tries.map((answer) => answer.json().code)).toEqual(['ticket-gone', 'ticket-gone']);
  expect((await other.get(SECURITY_PATH)).json()).toMatchObject({ passkeys: [], codesLeft: 0 });
});

test.each([
  ['asked for', '/options', 200],
  ['tried', '', 422],
])('lets one address have a passkey %s twenty times a minute', async (_what, path, status) => {
  const { client } = await world();
  const guest = await client();
  await guest.get('/api/user');
  const statuses = [];
  for (let tries = 0; tries < 21; tries += 1)
    statuses.push((await guest.post(`/api/auth/passkey${path}`, {})).statusCode);
  expect(statuses).toEqual([...Array<number>(20).fill(status), 429]);
});

test('keeps at most eight transports of a passkey, and only valid ones', async () => {
  const { admin, client } = await world();
  const passkey = new SoftPasskey();
  const { ticket, options } = (await admin.post(`${SECURITY_PATH}/passkeys/options`, {})).json();
  const made = passkey.made({ ...SITE, challenge: options.challenge }) as { response: object };
  const words = ['usb', 'nfc', 'ble', 'hybrid', 'internal', 'smart-card', 'x'.repeat(20), 'a', 'b'];
  const transports = ['', 'x'.repeat(21), 'USB', 'two words', ...words];
  const response = { ...made, response: { ...made.response, transports } };
  await admin.post(`${SECURITY_PATH}/passkeys`, { ticket, response });
  const guest = await client();
  const signIn = (await guest.signIn()).json().ticket;
  const asked = (await guest.post('/api/auth/passkey/options', { ticket: signIn })).json();
  expect(asked.options.allowCredentials).toMatchObject([{ id: passkey.id, transports: words.slice(0, 8) }]);
  expect((await addPasskey(admin)).id).not.toBe(passkey.id);
});

test('knows every call that gives rights', () => {
  for (const call of GIVES_RIGHTS) expect([call, LEAST_ROLE.has(call)]).toEqual([call, true]);
  const asking = ASKING.map((url) => url.replace(/\/(x|4711)(?=\/)/, '/:id')).map((url) => `POST ${url}`);
  expect([...GIVES_RIGHTS].toSorted()).toEqual(asking.toSorted());
});
