import { appendFileSync, cpSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUILT = process.env['E2E_APP_DIR'] ?? 'dist';

/**
 * Copies the built app so that browsers take it for a newer version, recognizable by its description. Returns its folder.
 */
export function newVersion(description: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'voltdesk-app-'));
  cpSync(realpathSync(BUILT), folder, { recursive: true });
  const page = join(folder, 'index.html');
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace('</head>', `<meta name="generator" content="${description}"></head>`),
  );
  const worker = join(folder, 'service-worker.js');
  // The precache manifest lists each file with its revision; a new page needs a new one.
  writeFileSync(worker, withNewRevision(readFileSync(worker, 'utf8'), 'index.html', description));
  appendFileSync(worker, `\n// ${description}\n`);
  return folder;
}

function withNewRevision(worker: string, url: string, revision: string): string {
  const entry = new RegExp(`\\{[^{}]*["']?url["']?:["']${url.replace('.', '\\.')}["'][^{}]*\\}`);
  if (!entry.test(worker)) throw new Error(`The worker does not keep ${url}.`);
  return worker.replace(entry, JSON.stringify({ url, revision }));
}
