import { buildPage } from './build-page.ts';
import { type FilesServer, serveFolder } from './files-server.ts';
import { listRows } from './rows.ts';
import type { Subject } from './subject.ts';

/** The baseline: the bare page from the fastest possible server. */
export async function bareSubject(): Promise<Subject> {
  const folder = await buildPage('bare-page', ['index.html', 'without-router.html']);
  const servers = new Map<number, FilesServer>();
  return {
    name: 'bare page',
    path: '/',
    selectors: {
      row: 'tr[data-row]',
      search: 'input[type=search]',
      sort: 'th:nth-child(3) .MuiTableSortLabel-root',
      select: 'tr[data-row] input[type=checkbox]',
    },
    async serve(rows) {
      const running = servers.get(rows) ?? (await serveFolder(folder, { '/rows.json': listRows(rows) }));
      servers.set(rows, running);
      return running.address;
    },
    async prepare() {},
    async settle({ context }, address) {
      const page = await context.newPage();
      await page.goto(address);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await page.close();
    },
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()));
    },
  };
}
