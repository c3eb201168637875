import { expect, test, vi } from 'vitest';
import type { Letter } from '../../server/accounts/mail.ts';
import { OwnerWatch } from '../../server/ops/owner-watch.ts';
import { noticesIn } from '../../server/stores/sql/notices.ts';
import type { Cause } from '../../src/domain/protocol/notices.ts';
import { ADMIN, signedIn } from './harness.ts';
import { withRole } from './people-client.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** By the clock of this machine, whatever its time zone. */
const NOON = new Date(2026, 10, 28, 12).getTime();

const DISK: Cause = { cause: 'disk@one', text: 'The disk of one is almost full.' };
const BACKUP: Cause = { cause: 'backup', text: 'Last backup 2 days ago: overdue.' };

/** Watches over one database, with a clock and a mail server that the test has in hand. */
async function world() {
  const clock = { at: NOON };
  const server = await signedIn({}, { now: () => clock.at });
  await withRole(server, 'editor');
  const state = { found: [] as readonly Cause[], isAway: false, refuses: false };
  const letters: Letter[] = [];
  const onFault = vi.fn();
  const watch = (name: string, hasMail = true) =>
    new OwnerWatch({
      notices: noticesIn(server.app.services),
      look: async () => {
        if (state.isAway) throw new Error('The database is away.');
        return state.found;
      },
      sendMail: hasMail
        ? async (letter) => {
            if (state.refuses) throw new Error('Try later.');
            letters.push(letter);
          }
        : undefined,
      brandLabel: 'Voltdesk',
      publicHost: 'desk.test',
      server: name,
      now: () => clock.at,
      onFault,
    });
  const shown = async () => (await server.admin.get('/api/notices')).json().notices.map(({ cause }: Cause) => cause);
  const told = () => letters.splice(0).map(({ subject, text }) => `${subject}: ${text.split('\n')[0]}`);
  return { ...server, clock, state, letters, watch, shown, told, onFault };
}

test('tells each cause once, and once when it is over, to owners alone', async () => {
  const { clock, state, letters, watch, shown, told } = await world();
  const one = watch('one');
  await one.look();
  expect([await shown(), letters]).toEqual([[], []]);
  state.found = [DISK, BACKUP];
  await one.look();
  expect(letters.map(({ to }) => to)).toEqual([ADMIN.email, ADMIN.email]);
  expect(letters[0]?.text).toContain('https://desk.test/health');
  expect(told().toSorted()).toEqual([`Voltdesk: Please look: ${BACKUP.text}`, `Voltdesk: Please look: ${DISK.text}`]);
  for (let minute = 0; minute < 30; minute += 10) {
    clock.at += 10 * MINUTE;
    await one.look();
  }
  expect([told(), (await shown()).toSorted()]).toEqual([[], ['backup', 'disk@one']]);
  state.found = [BACKUP];
  await one.look();
  expect([told(), await shown()]).toEqual([[`Voltdesk: Over: This is over: ${DISK.text}`], ['backup']]);
  await one.look();
  expect(told()).toEqual([]);
});

test('has several servers tell each cause once, and none end what another one found on itself', async () => {
  const { state, watch, told, shown, clock } = await world();
  const [one, other] = [watch('one'), watch('other')];
  state.found = [DISK, BACKUP];
  await one.look();
  state.found = [BACKUP];
  await other.look();
  expect([told().length, (await shown()).length]).toEqual([2, 2]);
  // the server that found it is gone
  clock.at += 3 * HOUR;
  await other.look();
  expect([told(), await shown()]).toEqual([[`Voltdesk: Over: This is over: ${DISK.text}`], ['backup']]);
});

test('tells nothing in the night but what cannot wait, and the rest in the morning', async () => {
  const { clock, state, watch, told, shown } = await world();
  const one = watch('one');
  clock.at = new Date(2026, 10, 28, 22).getTime();
  state.found = [BACKUP, { ...DISK, isUrgent: true }];
  await one.look();
  expect([told(), (await shown()).length]).toEqual([[`Voltdesk: Please look: ${DISK.text}`], 2]);
  clock.at = new Date(2026, 10, 29, 6, 59).getTime();
  state.found = [BACKUP];
  await one.look();
  expect([told(), await shown()]).toEqual([[], ['backup']]);
  clock.at = new Date(2026, 10, 29, 7).getTime();
  await one.look();
  expect(told().toSorted()).toEqual([
    `Voltdesk: Over: This is over: ${DISK.text}`,
    `Voltdesk: Please look: ${BACKUP.text}`,
  ]);
});

test('says nothing of what came and went in one night', async () => {
  const { clock, state, watch, told, shown } = await world();
  const one = watch('one');
  clock.at = new Date(2026, 10, 28, 23).getTime();
  state.found = [BACKUP];
  await one.look();
  state.found = [];
  await one.look();
  clock.at += 12 * HOUR;
  await one.look();
  expect([told(), await shown()]).toEqual([[], []]);
});

test('tells again what the mail server refused, and shows it without one', async () => {
  const { state, watch, told, shown, onFault } = await world();
  state.found = [BACKUP];
  await watch('one', false).look();
  expect([await shown(), told()]).toEqual([['backup'], []]);
  state.refuses = true;
  await watch('one').look();
  expect(onFault).toHaveBeenCalledOnce();
  state.refuses = false;
  await watch('one').look();
  expect(told()).toEqual([`Voltdesk: Please look: ${BACKUP.text}`]);
});

test('tells that the database has been away for five minutes, and that it is back', async () => {
  const { clock, state, watch, told } = await world();
  const one = watch('one');
  await one.look();
  state.isAway = true;
  await one.look();
  clock.at += 5 * MINUTE - 1;
  await one.look();
  expect(told()).toEqual([]);
  clock.at += 1;
  await one.look();
  await one.look();
  expect(told()).toEqual(['Voltdesk: Please look: The database has been away for five minutes.']);
  state.isAway = false;
  await one.look();
  await one.look();
  expect(told()).toEqual(['Voltdesk: Over: This is over: The database has been away for five minutes.']);
});

test('says whether there is any record yet', async () => {
  const { admin } = await signedIn();
  expect((await admin.get('/api/notices')).json()).toEqual({ notices: [], isEmpty: true });
});
