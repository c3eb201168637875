import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What a first visit may download, in kB after gzip. */
const BUDGETS = { 'first load': 260, 'service worker': 70 };

function gzipKilobytes(files: string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0) / 1000;
}

/** Scripts, preloads and style sheets the built page asks for before it shows anything. */
function firstLoad(): string[] {
  const html = readFileSync('dist/index.html', 'utf8');
  const files = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) =>
    join('dist', match[1] ?? ''),
  );
  if (files.length === 0) throw new Error('dist/index.html loads no script');
  return files;
}

/** The classic worker is one file; a chunk beside it would not be found by it. */
function worker(): string[] {
  return readdirSync('dist')
    .filter((name) => name.endsWith('.js'))
    .map((name) => join('dist', name));
}

const sizes = { 'first load': gzipKilobytes(firstLoad()), 'service worker': gzipKilobytes(worker()) };
for (const [what, budget] of Object.entries(BUDGETS)) {
  const size = sizes[what as keyof typeof sizes];
  console.log(`${what}: ${size.toFixed(1)} kB of ${budget} kB`);
  if (size > budget) process.exitCode = 1;
}
