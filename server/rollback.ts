import './require-node.js';
import { explainFailure } from './messages.ts';
import { rollBack } from './ops/builds.ts';
import { readSettings } from './settings.ts';

try {
  const { appDir } = readSettings(process.env);
  console.log(`The app is build ${await rollBack({ appDir, now: Date.now })} again.`);
} catch (error) {
  explainFailure(error);
}
