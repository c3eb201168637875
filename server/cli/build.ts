import { resolve } from 'node:path';
import { addBuild } from '../ops/builds.ts';
import { precompress } from '../ops/precompress.ts';

const MISSING =
  'There is no built app, and the tools that build it are not installed: run npm ci without --omit=dev, or install a release, which has the app in it.';

/** Builds the app beside the running one, compresses it, and activates it. Throws readable errors. */
export async function run(): Promise<void> {
  const appDir = resolve(process.env['APP_DIR'] || 'dist');
  // absent after `npm ci --omit=dev`
  const { build } = await import('vite').catch((cause: unknown) => {
    throw new Error(MISSING, { cause });
  });
  const make = async (outDir: string) => {
    await build({ logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    await precompress(outDir);
  };
  console.log(`The app is build ${await addBuild({ appDir, now: Date.now }, make)}.`);
}
