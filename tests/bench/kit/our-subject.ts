import { routesOf } from '../../../src/domain/resource.ts';
import { gridTieInverters } from '../../../src/domain/resources/grid-tie-inverters.ts';
import type { TestServer } from '../../harness/server.ts';
import { startFilledServer } from './filled-server.ts';
import { illustrate, PICTURES } from './illustrate.ts';
import { type SignedIn, signIn } from './sign-in.ts';
import type { Subject } from './subject.ts';

interface Running {
  readonly server: TestServer;
  readonly session: SignedIn;
}

/** The built app on its own server. `illustrated` adds pictures and catalogues, with the thumbnails on the device. */
export function ourSubject({ illustrated = false } = {}): Subject {
  const servers = new Map<number, Promise<Running>>();
  const running = (rows: number) => {
    const known = servers.get(rows) ?? start(rows, illustrated);
    servers.set(rows, known);
    return known;
  };
  const { list } = routesOf(gridTieInverters);
  return {
    name: illustrated ? 'ours with pictures' : 'ours',
    path: list,
    selectors: {
      row: 'tr[data-row]',
      search: 'main input[type=search]',
      sort: 'thead button.sort',
      select: 'tr[data-row] input[type=checkbox]',
    },
    async serve(rows) {
      return (await running(rows)).server.origin;
    },
    async prepare({ context }, address, rows) {
      const { session } = await running(rows);
      const page = await context.newPage();
      await page.goto(`${address}/robots.txt`);
      await page.evaluate(keepSession, { user: session.user, token: session.token });
      await page.close();
    },
    async settle({ context }, address) {
      const page = await context.newPage();
      await page.goto(address + list);
      await page.locator('tr[data-row]').first().waitFor();
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await page.waitForLoadState('networkidle');
      if (illustrated) await page.waitForFunction(hasSmallPictures, PICTURES);
      await page.close();
    },
    async close() {
      for (const { server } of await Promise.all(servers.values())) await server.remove();
    },
  };
}

async function start(rows: number, illustrated: boolean): Promise<Running> {
  const server = await startFilledServer(rows);
  if (illustrated) await illustrate(server);
  return { server, session: await signIn(server.origin) };
}

/** Runs in the page. Stores what a sign-in leaves on the device. */
export function keepSession({ user, token }: { user: unknown; token: string }): void {
  localStorage.setItem('access_token', token);
  localStorage.setItem('voltdesk.user', JSON.stringify(user));
}

/** Runs in the page. True once the device has this many pictures, which it fetches when idle. */
async function hasSmallPictures(count: number): Promise<boolean> {
  return (await (await caches.open('voltdesk-images')).keys()).length >= count;
}
