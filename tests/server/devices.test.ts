import { expect, test } from 'vitest';
import {
  DEVICES_PATH,
  isSilent,
  type PersonsDevice,
  readReport,
  writeReport,
} from '../../src/domain/protocol/devices.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { formOf, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';
import { withRole } from './people-client.ts';

const NOON = Date.parse('2026-11-28T12:00:00Z');
const DAY = 24 * 60 * 60_000;
const AGENT = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36';
const REPORT = 'device-one index-Dw_1 1795780800 12 3400';

/** An owner's server with a clock, and calls that report a device. */
async function world() {
  const clock = { at: NOON };
  const server = await signedIn({}, { now: () => clock.at });
  const report = (waiting: number, text = REPORT, who = server.admin) =>
    who.get('/api/user', { 'X-Waiting-Changes': String(waiting), 'X-Device': text, 'User-Agent': AGENT });
  const devices = async () => (await server.admin.get(DEVICES_PATH)).json() as PersonsDevice[];
  return { ...server, clock, report, devices };
}

test('lists each device with its person, what waits there since when, its storage and the version of the app', async () => {
  const { report, devices, clock, admin } = await world();
  await report(3);
  clock.at += DAY;
  await admin.get('/api/user');
  expect(await devices()).toEqual([
    {
      id: '1.device-one',
      person: expect.any(String),
      device: 'Chrome on Android',
      version: 'index-Dw_1',
      // any request of its session shows that it is there
      lastSeenAt: new Date(NOON + DAY).toISOString(),
      waiting: 3,
      waitingSince: '2026-11-27T12:00:00.000Z',
      used: 12,
      quota: 3400,
    },
  ]);
  const [own] = (await admin.get('/api/sessions')).json();
  expect(own).toMatchObject({ version: 'index-Dw_1', waitingSince: '2026-11-27T12:00:00.000Z', used: 12, quota: 3400 });
});

test('keeps a device with waiting changes in the list after its session has ended, and for a year', async () => {
  const { report, devices, clock, admin } = await world();
  await report(2);
  await admin.post('/api/logout', {});
  clock.at += 360 * DAY;
  await admin.signIn();
  await report(0, REPORT.replace('one', 'two'));
  const [first, ...others] = await devices();
  expect([first?.id, first?.waiting, isSilent(first ?? { lastSeenAt: '' }, clock.at), others.length]).toEqual([
    '1.device-one',
    2,
    true,
    1,
  ]);
  clock.at += 6 * DAY;
  expect((await devices()).map(({ id }) => id)).toEqual(['1.device-two']);
  await report(0, REPORT.replace('one', 'three'));
  clock.at += 31 * DAY;
  await admin.signIn();
  expect(await devices()).toEqual([]);
});

test('knows nothing of what waits on a device that sends without its page, until it reports again', async () => {
  const { report, devices, admin } = await world();
  await report(3);
  const form = formOf(valuesFor(partners.fields), await filesFor(partners));
  await admin.post(partners.endpoints.create, form, { 'Idempotency-Key': 'a-key-of-its-own' });
  const [sent] = await devices();
  expect([sent?.waiting, sent?.waitingSince, isSilent(sent ?? { lastSeenAt: '' }, NOON + 9 * DAY)]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  await report(2);
  expect((await devices())[0]?.waiting).toBe(2);
});

test('lists one device for each person who uses it, at most fifty for one, and only for owners', async () => {
  const server = await world();
  const { report, devices, clock } = server;
  const viewer = await withRole(server, 'viewer');
  await report(1);
  await report(1, REPORT, viewer);
  expect((await devices()).map(({ person }) => person).toSorted()).toHaveLength(2);
  expect((await viewer.get(DEVICES_PATH)).statusCode).toBe(403);
  for (let n = 0; n < 52; n += 1) {
    clock.at += 1000;
    await report(0, REPORT.replace('one', `n-${n}`));
  }
  expect((await devices()).filter(({ id }) => id.startsWith('1.'))).toHaveLength(50);
});

test('forgets a device until it reports again', async () => {
  const { admin, report, devices, clock } = await world();
  await report(1);
  expect((await admin.post(`${DEVICES_PATH}/1.device-one/forget`, {})).json().message).toBe(
    'Device removed from the list',
  );
  expect(await devices()).toEqual([]);
  for (const id of ['1.device-one', 'x', '1.%27'])
    expect((await admin.post(`${DEVICES_PATH}/${id}/forget`, {})).statusCode).toBe(404);
  clock.at += 61_000;
  await report(1);
  expect(await devices()).toHaveLength(1);
});

test('reads what it has written, and nothing else', async () => {
  for (const one of [
    { id: 'device-one', version: 'a.b' },
    { id: 'device-one', version: 'a', since: 1, used: 2, quota: 3 },
  ])
    expect(readReport(writeReport(one))).toEqual(one);
  for (const bad of [
    '',
    'short v - - -',
    `${'x'.repeat(41)} v - - -`,
    'device-one v - -',
    'device-one v x - -',
    `${REPORT} more`,
  ])
    expect(readReport(bad)).toBeUndefined();
  const { report, devices } = await world();
  await report(1, 'nonsense');
  expect(await devices()).toEqual([]);
});
