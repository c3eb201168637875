import { parseArgs } from 'node:util';
import { adopt } from '../commands/adopt.ts';
import { readSettings } from '../settings/settings.ts';

/** Lets this installation’s database take over the files beside it. Throws readable errors. */
export async function run(words: readonly string[]): Promise<void> {
  parseArgs({ args: [...words], options: {} });
  console.log(await adopt(readSettings(process.env)));
}
