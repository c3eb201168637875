import { parseArgs } from 'node:util';
import { addressOf, openInstallation } from '../commands/installation.ts';
import { move } from '../commands/move.ts';
import { readSettings } from '../settings/settings.ts';

const USAGE = `npm run move -- --from sqlite:FOLDER --to postgres://user:password@host/name
npm run move -- --from postgres://user:password@host/name --to sqlite:FOLDER
The side that is left out is the one of the settings (DATABASE_URL, or DATA_DIR).`;

/** Moves an installation between SQLite and PostgreSQL. Throws readable errors. */
export async function run(words: readonly string[]): Promise<void> {
  const options = { from: { type: 'string' }, to: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...words], options });
  const { from, to } = values;
  if (from === undefined && to === undefined) throw new Error(USAGE);
  const settings = readSettings(process.env);
  const own = addressOf(settings);
  await moveBetween(from ?? own, to ?? own, settings.uploadsUrl);
}

async function moveBetween(fromAddress: string, toAddress: string, uploadsUrl: string): Promise<void> {
  const from = await openInstallation(fromAddress, { isThere: true, uploadsUrl });
  try {
    const to = await openInstallation(toAddress, { isThere: false, uploadsUrl });
    try {
      const { rows, files, differences } = await move(from, to, console.log);
      if (differences.length > 0) throw new Error(`${differences.length} differences:\n${differences.join('\n')}`);
      console.log(`Moved ${rows} rows and ${files} files. 0 differences.`);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}
