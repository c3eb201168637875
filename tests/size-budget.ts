import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * `npm run size`: what the built app in `dist` may weigh, in kB (of 1,000 bytes) after gzip. Prints every figure; one over its
 * budget makes the exit code 1. Bytes do not flicker, so these are exact bounds; times are measured by `npm run bench`.
 */
const BUDGETS = {
  'JavaScript before a list shows': 165,
  'styles before a list shows': 6,
  'service worker': 60,
};

const DIST = 'dist';

/** Addresses in a text that stand where `pattern`'s first group is, without the folder of assets. */
function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

const read = (path: string) => readFileSync(join(DIST, path), 'utf8');

/** The files, and all that their code imports at once: what is imported later, when it is needed, does not count. */
function withImports(files: readonly string[], known = new Set<string>()): Set<string> {
  for (const file of files) {
    if (known.has(file)) continue;
    known.add(file);
    withImports(found(read(join('assets', file)), /(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+\.js)["']/g), known);
  }
  return known;
}

/** Files of a kind that the page names, or that its early start asks for to show a list. */
function beforeList(kind: 'js' | 'css'): string[] {
  const html = read('index.html');
  const scripts = found(html, /(?:src|href)="\/assets\/([\w.-]+\.js)"/g);
  const early = scripts.find((file) => file.startsWith('early-'));
  if (early === undefined) throw new Error('dist/index.html has no early start.');
  const late = found(read(join('assets', early)), /["'`/]((?:list|list-screen)-[\w-]+\.(?:js|css))["'`]/g);
  if (!late.some((file) => file.endsWith('.js'))) throw new Error('The early start asks for no list.');
  const files = [...scripts, ...found(html, /href="\/assets\/([\w.-]+\.css)"/g), ...late];
  const own = files.filter((file) => file.endsWith(`.${kind}`));
  return [...(kind === 'js' ? withImports(own) : new Set(own))].map((file) => join('assets', file));
}

function kilobytes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0) / 1000;
}

const sizes: Readonly<Record<keyof typeof BUDGETS, number>> = {
  'JavaScript before a list shows': kilobytes(beforeList('js')),
  'styles before a list shows': kilobytes(beforeList('css')),
  'service worker': kilobytes(['service-worker.js']),
};

for (const [what, size] of Object.entries(sizes) as [keyof typeof BUDGETS, number][]) {
  const budget = BUDGETS[what];
  console.log(`${what}: ${size.toFixed(1)} kB of ${budget} kB${size > budget ? ': TOO LARGE' : ''}`);
  if (size > budget) process.exitCode = 1;
}
