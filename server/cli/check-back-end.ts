import { checkInWords } from '../commands/check-back-end.ts';
import { readSettings } from '../settings/settings.ts';

/** Tries an existing back end with one record, and says in words what holds for it. The exit code is 1 if that is bad. */
export async function run(words: readonly string[]): Promise<void> {
  const { BACK_END_EMAIL: email = '', BACK_END_PASSWORD: password = '' } = process.env;
  const { lines, isBad } = await checkInWords(readSettings(process.env), { email, password }, words[0]);
  for (const line of lines) console.log(line);
  process.exit(isBad ? 1 : 0);
}
