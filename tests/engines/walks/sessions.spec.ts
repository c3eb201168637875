import { Api } from '../../harness/api.ts';
import { newVersion } from '../../harness/new-version.ts';
import { ADMINISTRATOR } from '../../harness/server.ts';
import { expectAll, expectConfirmed, importAll, partners, samplePartner, samplePartners } from '../partners.ts';
import { until } from '../until.ts';
import { expect, walk } from '../walk.ts';

const CREATE = `POST ${partners.endpoints.create}`;

walk('a form whose session has ended is saved after a sign-in', async ({ device, world }) => {
  const { proxy, server } = world;
  const volt = samplePartner('Volt Brothers', 1);
  const app = await device.newTab(proxy.origin);
  await app.signIn();
  await app.open('/partner-create');
  await app.fill(partners, { name: volt.name, image: [volt.logo] });
  // Else the page may learn by itself that its session is over, and ask for the password before the form is sent.
  await proxy.strike({ kind: 'hold' }, { only: 'GET ' });
  const elsewhere = await Api.signIn(server.origin);
  const password = 'another long pass phrase';
  await elsewhere.post('/api/change-password', [
    ['previous_password', ADMINISTRATOR.password],
    ['new_password', password],
    ['new_password_confirmation', password],
  ]);
  await app.submit();
  proxy.release();
  await app.see('[role=dialog] input[name=password]');
  await app.type('password', password);
  await app.press('[role=dialog] button', /^Sign in$/);
  await expectAll(world, [volt]);
  await app.isAt('/partner-all');
  await expectConfirmed(app);
  expect(server.data.rows('partners')).toHaveLength(1);
});

walk('a new version takes over in the middle of a queue, which arrives once', async ({ device, world }) => {
  const { proxy, server } = world;
  const all = samplePartners(6, 100_000);
  const app = await device.newTab(proxy.origin);
  await app.signIn();
  await app.keepsCopy('list/partners');
  await proxy.refuse();
  await importAll(app, all);
  await server.stop();
  await server.start({ appDir: newVersion('next') });
  const sent = proxy.next(CREATE);
  await proxy.strike({ kind: 'hold' }, { only: 'POST ' });
  await app.linkReturns();
  await sent;
  await app.tab.run(async () => void (await navigator.serviceWorker.getRegistration())?.update());
  await app.press('[aria-label="New version"] button', /^Update$/);
  proxy.release(1);
  const isNext = () => document.querySelector('meta[name=generator][content=next]') !== null;
  await until('the new version', () => app.tab.run(isNext), 90_000);
  proxy.release();
  await expectAll(world, all);
  await expectConfirmed(app);
  expect(server.data.rows('partners')).toHaveLength(all.length);
});
