import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const filling = { name: 'Volt Brothers', link: 'https://example.com', image: [png('logo.png', 1)] };

/** Runs in a page: keeps a transaction on the outbox open for as long as the page lives, as a page in WebKit's cache does. */
async function holdOutbox(): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('voltdesk-outbox');
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => reject(opening.error));
  });
  const store = database.transaction(['entries', 'meta', 'files', 'identities'], 'readwrite').objectStore('meta');
  const again = () => store.get('nothing').addEventListener('success', again);
  again();
}

test.use({ holds: 'session' });

test('the app explains what to do while another tab blocks the storage, and continues once that tab is closed', async ({
  page,
  context,
  world: { proxy, server },
}) => {
  const app = await App.signedIn(page, { proxy });
  await app.open('/partner-create');
  await app.fill(partners.fields, filling);
  const other = await context.newPage();
  await other.goto(`${proxy.origin}/robots.txt`);
  await other.evaluate(holdOutbox);
  await app.submit();
  await expect(page.getByRole('alert').filter({ hasText: 'Close the other Voltdesk tabs' })).toBeVisible();
  await other.close();
  await expect.poll(() => server.data.rows('partners')).toHaveLength(1);
  await expect(page.getByText('Close the other Voltdesk tabs')).toHaveCount(0);
});
