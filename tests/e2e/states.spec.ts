import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { expect, test } from '../harness/world.ts';

test.describe('without a worker, which would have precached the code', () => {
  test.use({ serviceWorkers: 'block' });

  test('a screen whose code cannot be loaded says so, and the rest of the app remains', async ({ page, world }) => {
    await page.route('**/assets/about-screen-*.js', (route) => route.abort());
    const app = new App(page, world.proxy.origin);
    await app.signIn();
    let loads = 0;
    page.on('load', () => (loads += 1));
    await app.open('/about');
    // It reloads once, and shows the message after that.
    await expect.poll(() => loads).toBe(2);
    await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
    await expect(page.getByRole('navigation').first()).toBeVisible();
    await expectAccessible(page, 'a screen that failed');
  });

  test('a screen whose code failed to load once is shown without a press', async ({ page, world }) => {
    const app = new App(page, world.proxy.origin);
    await app.signIn();
    let documents = 0;
    page.on('request', (request) => (documents += request.isNavigationRequest() ? 1 : 0));
    // Of the first document alone: how often it asks, as a hint and for the module, is up to the browser.
    await page.route('**/assets/about-screen-*.js', (route) => (documents > 1 ? route.continue() : route.abort()));
    await app.open('/about');
    await expect(page.getByRole('heading', { name: 'About', exact: true })).toBeVisible();
  });
});
