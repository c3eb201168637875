import './require-node.js';
import { resolve } from 'node:path';
import { build } from 'vite';
import { explainFailure } from './messages.ts';
import { addBuild } from './ops/builds.ts';
import { precompress } from './ops/precompress.ts';

try {
  const appDir = resolve(process.env['APP_DIR'] || 'dist');
  const make = async (outDir: string) => {
    await build({ logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    await precompress(outDir);
  };
  console.log(`The app is build ${await addBuild({ appDir, now: Date.now }, make)}.`);
} catch (error) {
  explainFailure(error);
}
