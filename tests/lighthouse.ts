import { execFileSync } from 'node:child_process';
import lighthouse from 'lighthouse';
import { openDevice } from './bench/kit/device.ts';
import { App } from './harness/app.ts';
import { freePort } from './harness/ports.ts';
import { TestServer } from './harness/server.ts';

/**
 * `npm run lighthouse`: how Lighthouse judges the built app on its phone: accessibility, best practices and what makes a page
 * findable, of the sign-in, home, a list and a form on the sample data. Anything below 100 makes the exit code 1, with the
 * audits that cost points. (Performance is measured by `npm run bench`, beside a bare page.)
 */

const CATEGORIES = ['accessibility', 'best-practices', 'seo'];
/** A back office tells search engines to stay away, and Lighthouse would have it found. */
const NOT_WANTED = ['is-crawlable'];

const PAGES = [
  { name: 'sign-in', path: '/login', signedIn: false },
  { name: 'home', path: '/', signedIn: true },
  { name: 'a list', path: '/partner-all', signedIn: true },
  { name: 'a form', path: '/generator-edit/1', signedIn: true },
];

async function serverWithSampleData(): Promise<TestServer> {
  const server = await TestServer.start();
  await server.stop();
  const env = { ...process.env, DATA_DIR: server.dataDir };
  execFileSync(process.execPath, ['server/sample-data.ts'], { env, stdio: 'ignore' });
  await server.start();
  return server;
}

/** Prints the points of one page and what cost some; true when all categories have their hundred. */
async function judge(origin: string, { name, path, signedIn }: (typeof PAGES)[number]): Promise<boolean> {
  const port = await freePort();
  const device = await openDevice(port);
  try {
    if (signedIn) await new App(await device.context.newPage(), origin).signIn();
    const flags = { port, onlyCategories: CATEGORIES, skipAudits: NOT_WANTED, disableStorageReset: true };
    const result = await lighthouse(origin + path, { ...flags, logLevel: 'error' });
    if (result === undefined) throw new Error(`Lighthouse did not judge ${path}.`);
    const { categories, audits } = result.lhr;
    const points = CATEGORIES.map((id) => `${id} ${Math.round((categories[id]?.score ?? 0) * 100)}`);
    console.log(`${name} (${path}): ${points.join(', ')}`);
    const wanting = CATEGORIES.flatMap((id) => categories[id]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `  ${id}: ${audits[id]?.title} ${JSON.stringify(audits[id]?.details ?? {}).slice(0, 600)}`);
    for (const line of wanting) console.log(line);
    return wanting.length === 0;
  } finally {
    await device.close();
  }
}

const server = await serverWithSampleData();
for (const page of PAGES) if (!(await judge(server.origin, page))) process.exitCode = 1;
await server.remove();
