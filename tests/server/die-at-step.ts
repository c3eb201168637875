import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import sqlite from 'node:sqlite';

/*
 * Preloaded into a command (`node --import`): the process kills itself right before its step number DIE_AT, which is a change of the disk
 * or of a database. Without DIE_AT it prints at its end how many steps it took.
 */

type AnyFunction = (...given: unknown[]) => unknown;

const READS = /^\s*(select|pragma (?!journal|user_version)|begin|savepoint)/i;
const dieAt = Number(process.env['DIE_AT'] ?? 0);
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === dieAt) process.kill(process.pid, 'SIGKILL');
}

/** Makes functions of an object count as steps. */
function count(object: object, names: readonly string[], isStep = (..._given: unknown[]) => true): void {
  const functions = object as Record<string, AnyFunction>;
  for (const name of names) {
    const original = functions[name];
    if (original === undefined) throw new Error(`There is no ${name}.`);
    functions[name] = function counted(this: unknown, ...given: unknown[]) {
      if (isStep(...given)) step();
      return original.apply(this, given);
    };
  }
}

const isOpenedToWrite = (_path: unknown, flags: unknown = 'r') => flags !== 'r';
count(fs.promises, ['open'], isOpenedToWrite);
count(fs.promises, ['rename', 'rm', 'mkdir', 'mkdtemp', 'writeFile', 'appendFile', 'copyFile', 'link', 'utimes']);
count(fs, ['openSync'], isOpenedToWrite);
count(fs, ['mkdirSync', 'writeFileSync', 'renameSync', 'rmSync', 'chmodSync']);
count(sqlite, ['backup']);
count(sqlite.DatabaseSync.prototype, ['exec'], (sql) => !READS.test(String(sql)));
for (const name of ['run', 'all'] as const) {
  const original = sqlite.StatementSync.prototype[name] as AnyFunction;
  Object.assign(sqlite.StatementSync.prototype, {
    [name](this: { readonly sourceSQL: string }, ...given: unknown[]) {
      if (!READS.test(this.sourceSQL)) step();
      return original.apply(this, given);
    },
  });
}
syncBuiltinESMExports();

if (dieAt === 0) process.on('exit', () => fs.writeSync(2, `steps: ${steps}\n`));
