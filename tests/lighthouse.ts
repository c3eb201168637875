import { execFileSync } from 'node:child_process';
import lighthouse from 'lighthouse';
import { openDevice } from './bench/kit/device.ts';
import { startExampleSite } from './bench/kit/example-site.ts';
import { App } from './harness/app.ts';
import { freePort } from './harness/ports.ts';
import { TestServer } from './harness/server.ts';

/**
 * `npm run lighthouse`: how Lighthouse judges the built app on its phone: accessibility, best practices and what makes a page
 * findable, of the sign-in, home, a list and a form on the sample data; and the same with performance for home, a list and a
 * product of the example site. Anything below 100 makes the exit code 1, with the audits that cost points. (The app's performance
 * is measured by `npm run bench`, beside a bare page.)
 */

const CATEGORIES = ['accessibility', 'best-practices', 'seo'];
const SITE_CATEGORIES = [...CATEGORIES, 'performance'];
/** A back office tells search engines to stay away, and Lighthouse would have it found. */
const NOT_WANTED = ['is-crawlable'];

const PAGES = [
  { name: 'sign-in', path: '/login', signedIn: false },
  { name: 'home', path: '/', signedIn: true },
  { name: 'a list', path: '/partner-all', signedIn: true },
  { name: 'a form', path: '/generator-edit/1', signedIn: true },
];

const SITE_PAGES = [
  { name: 'the site', path: '/', signedIn: false },
  { name: 'a list of the site', path: '/generators/', signedIn: false },
  { name: 'a product of the site', path: '/generators/1/', signedIn: false },
];

async function serverWithSampleData(): Promise<TestServer> {
  const server = await TestServer.start();
  await server.stop();
  const env = { ...process.env, DATA_DIR: server.dataDir };
  execFileSync(process.execPath, ['server/cli.ts', 'sample-data'], { env, stdio: 'ignore' });
  await server.start();
  return server;
}

/** Prints the points of one page and what cost some; true when all categories have their hundred. */
async function judge(
  origin: string,
  { name, path, signedIn }: (typeof PAGES)[number],
  wanted: { readonly onlyCategories: string[]; readonly skipAudits?: string[] },
): Promise<boolean> {
  const port = await freePort();
  const device = await openDevice(port);
  try {
    if (signedIn) await new App(await device.context.newPage(), origin).signIn();
    const flags = { port, ...wanted, disableStorageReset: true };
    const result = await lighthouse(origin + path, { ...flags, logLevel: 'error' });
    if (result === undefined) throw new Error(`Lighthouse did not judge ${path}.`);
    const { categories, audits } = result.lhr;
    const points = wanted.onlyCategories.map((id) => Math.round((categories[id]?.score ?? 0) * 100));
    console.log(`${name} (${path}): ${wanted.onlyCategories.map((id, at) => `${id} ${points[at]}`).join(', ')}`);
    if (points.every((some) => some === 100)) return true;
    const wanting = wanted.onlyCategories
      .flatMap((id) => categories[id]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `  ${id}: ${audits[id]?.title} ${JSON.stringify(audits[id]?.details ?? {}).slice(0, 600)}`);
    for (const line of wanting) console.log(line);
    return false;
  } finally {
    await device.close();
  }
}

const server = await serverWithSampleData();
const app = { onlyCategories: CATEGORIES, skipAudits: NOT_WANTED };
for (const page of PAGES) if (!(await judge(server.origin, page, app))) process.exitCode = 1;
await server.remove();

const { site, close } = await startExampleSite();
for (const page of SITE_PAGES)
  if (!(await judge(site, page, { onlyCategories: SITE_CATEGORIES }))) process.exitCode = 1;
await close();
