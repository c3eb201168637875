import './require-node.js';
import { parseArgs } from 'node:util';
import { adopt } from './commands/adopt.ts';
import { explainFailure } from './messages.ts';
import { readSettings } from './settings.ts';

try {
  parseArgs({ options: {} });
  console.log(await adopt(readSettings(process.env)));
} catch (error) {
  explainFailure(error);
}
