import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/** Builds a page of this folder as the app is built, into a temporary folder for this run. Returns that folder. */
export async function buildPage(folder: string, pages: readonly string[] = ['index.html']): Promise<string> {
  const root = resolve(import.meta.dirname, '..', folder);
  const outDir = mkdtempSync(join(tmpdir(), 'voltdesk-bench-'));
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: false,
      chunkSizeWarningLimit: 1000,
      target: 'es2022',
      rolldownOptions: { input: pages.map((page) => join(root, page)) },
    },
  });
  return outDir;
}
