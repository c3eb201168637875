import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { create } from './feed-client.ts';
import { freshFolder, signedIn } from './harness.ts';

/** For some fifty kills with a start after each. Milliseconds. */
const LONG = 20 * 60_000;

const KEY = 'a key of twenty letters and more';

/** Runs a command that is killed right before a step, or not at all. Returns its code and the number of its steps. */
async function command(words: readonly string[], environment: Record<string, string>, dieAt?: number) {
  const env = { ...process.env, ...environment, ...(dieAt === undefined ? {} : { DIE_AT: String(dieAt) }) };
  const child = spawn(process.execPath, ['--import', './tests/server/die-at-step.ts', ...words], { env });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number | null]>]);
  return { code, said, steps: Number(/steps: (\d+)/.exec(said)?.[1]) };
}

/** A stopped installation with two records and their pictures. */
async function stopped(): Promise<string> {
  const { admin, app, dataDir } = await signedIn();
  for (const mark of ['one', 'other']) await create(admin, partners, mark);
  await app.services.sizes.done();
  await app.close();
  return dataDir;
}

/** Copies the folders of an installation, as they are before a command. */
async function copyOf(dataDir: string) {
  const root = await freshFolder();
  const [data, elsewhere] = [join(root, 'data'), join(root, 'elsewhere')];
  cpSync(dataDir, data, { recursive: true, filter: (path) => !path.endsWith('reserve') });
  mkdirSync(elsewhere);
  return { root, data, elsewhere };
}

/** What a server of this folder serves: its partners, and whether all their pictures are there. */
async function servedBy(dataDir: string) {
  const { admin, app } = await signedIn({ DATA_DIR: dataDir });
  const rows = (await admin.get(partners.endpoints.list)).json() as { name: string; image: string }[];
  const pictures = await Promise.all(rows.map(({ image }) => admin.get(`/uploads/${image}`)));
  await app.services.sizes.done();
  await app.close();
  return { count: rows.length, isWhole: pictures.every(({ statusCode }) => statusCode === 200) };
}

const WHOLE = { count: 2, isWhole: true };
const partsIn = (folder: string) => readdirSync(folder).filter((name) => name.includes('.part'));

type Place = Awaited<ReturnType<typeof copyOf>>;

/** Kills a command before each of its steps, each time on a copy of an installation of its own, which is then checked. */
async function atEveryStep(
  dataDir: string,
  runIn: (place: Place, dieAt?: number) => ReturnType<typeof command>,
  check: (place: Place) => Promise<void>,
) {
  let place = await copyOf(dataDir);
  const run = async (dieAt?: number) => {
    rmSync(place.root, { recursive: true });
    place = await copyOf(dataDir);
    return runIn(place, dieAt);
  };
  const whole = await run();
  expect([whole.code, whole.said]).toEqual([0, expect.stringContaining('steps: ')]);
  for (let dieAt = 1; dieAt <= whole.steps; dieAt += 1) {
    expect(await run(dieAt)).toMatchObject({ code: null });
    await check(place);
  }
  console.log(`killed before each of ${whole.steps} steps`);
}

test.each(['', KEY])(
  'a backup killed at any step with the key "%s" leaves nothing after the next start',
  { timeout: LONG },
  async (key) => {
    const dataDir = await stopped();
    await atEveryStep(
      dataDir,
      ({ data, elsewhere }, dieAt) => {
        const words = ['server/cli.ts', 'backup', join(elsewhere, 'one.voltdesk')];
        return command(words, { DATA_DIR: data, BACKUP_KEY: key }, dieAt);
      },
      async ({ data, elsewhere }) => {
        expect(await servedBy(data)).toEqual(WHOLE);
        expect([partsIn(data), partsIn(elsewhere)]).toEqual([[], []]);
        const [file] = readdirSync(elsewhere);
        // whole or not there
        if (file !== undefined) {
          await restore({ dataDir: join(elsewhere, 'restored'), file: join(elsewhere, file), now: 0, key });
          expect(await servedBy(join(elsewhere, 'restored'))).toEqual(WHOLE);
        }
        await backUp(data, join(elsewhere, 'next.voltdesk'), key);
      },
    );
  },
);

test('a move killed at any step leaves its source whole, and can be made again', { timeout: LONG }, async () => {
  const dataDir = await stopped();
  await atEveryStep(
    dataDir,
    ({ data, elsewhere }, dieAt) => {
      const words = ['server/cli.ts', 'move', '--to', `sqlite:${join(elsewhere, 'moved')}`];
      return command(words, { DATA_DIR: data }, dieAt);
    },
    async ({ data, elsewhere }) => {
      const target = join(elsewhere, 'moved');
      const again = await command(['server/cli.ts', 'move', '--to', `sqlite:${target}`], { DATA_DIR: data });
      // refused where the move had happened already
      if (again.code !== 0) expect(again.said).toContain('is not empty');
      expect(await servedBy(target)).toEqual(WHOLE);
      expect(await servedBy(data)).toEqual(WHOLE);
    },
  );
});

test('a restore killed at any step is finished or undone by the next start', { timeout: LONG }, async () => {
  const dataDir = await stopped();
  const file = join(await freshFolder(), 'one.voltdesk');
  await backUp(dataDir, file, KEY);
  await atEveryStep(
    dataDir,
    ({ data }, dieAt) => command(['server/cli.ts', 'restore', file], { DATA_DIR: data, BACKUP_KEY: KEY }, dieAt),
    async ({ data }) => {
      expect(await servedBy(data)).toEqual(WHOLE);
      expect(readdirSync(data).filter((name) => name.startsWith('.restoring'))).toEqual([]);
      expect(existsSync(join(data, 'restore-under-way.json'))).toBe(false);
    },
  );
});
