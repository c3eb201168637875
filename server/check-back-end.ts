import './require-node.js';
import { checkInWords } from './commands/check-back-end.ts';
import { explainFailure } from './messages.ts';
import { readSettings } from './settings.ts';

try {
  const { BACK_END_EMAIL: email = '', BACK_END_PASSWORD: password = '' } = process.env;
  const { lines, isBad } = await checkInWords(readSettings(process.env), { email, password }, process.argv[2]);
  for (const line of lines) console.log(line);
  process.exit(isBad ? 1 : 0);
} catch (error) {
  explainFailure(error);
}
