import { openSqlite } from '../../../server/stores/sqlite/sqlite.ts';
import type { Disk, NewFile } from '../../../server/uploads/disk.ts';
import { quickDisk } from './quick-disk.ts';

type Database = ReturnType<typeof openSqlite>;

/**
 * Nothing that a killed server still does has an effect, and nothing that it waits for comes. One promise for all would hold
 * whatever ever waited for it.
 */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** What the journal commits outside of a transaction is a commit of its own. */
const COMMIT =
  /^(commit|insert into "(entries|image_owners)"|delete from "entries"|update "entries" set "credentials")/i;

/** One run of a server, until it is killed at one of its steps: around each commit, each move of a file and each request. */
export class ServerLife {
  isOver = false;
  readonly killed: Promise<'killed'>;
  /** Steps until it is killed. */
  #left = Number.POSITIVE_INFINITY;
  readonly #databases: Database[] = [];
  /** What closes a file that is still open. */
  readonly #open: (() => Promise<void>)[] = [];
  #tell: (word: 'killed') => void = () => undefined;

  constructor() {
    this.killed = new Promise((resolve) => (this.#tell = resolve));
  }

  /** Kills it at so manieth a step from now, counted from 1. */
  killAt(step: number): void {
    this.#left = step;
  }

  /** A moment at which it can be killed. Throws when it is. */
  step(): void {
    this.#left -= 1;
    if (this.#left > 0 && !this.isOver) return;
    this.stop();
    throw new Error('The server was killed.');
  }

  /** Kills it between two steps. */
  stop(): void {
    this.isOver = true;
    this.#tell('killed');
  }

  /** The end of a process closes its files: what was not committed is undone, and its locks are free. */
  bury(): void {
    this.isOver = true;
    for (const database of this.#databases.splice(0)) {
      database.close();
      // a statement keeps its database for good, and this would keep the whole world with it
      Reflect.deleteProperty(database, 'prepare');
    }
    for (const close of this.#open.splice(0)) void close();
  }

  readonly disk: Disk = {
    create: (path) => this.#alive(() => this.#opened(quickDisk.create(path))),
    append: (path) => this.#alive(() => this.#around(() => this.#opened(quickDisk.append(path)))),
    link: (from, to) => this.#alive(() => this.#around(() => quickDisk.link(from, to))),
    // memory needs no flush
    flush: () => this.#alive(async () => undefined),
    rename: (from, to) => this.#alive(() => this.#around(() => quickDisk.rename(from, to))),
    flushFolder: () => this.#alive(async () => undefined),
    remove: (path) => this.#alive(() => this.#around(() => quickDisk.remove(path))),
  };

  /** A database whose commits are steps. */
  readonly openSqlite = (path: string): Database => {
    const database = openSqlite(path);
    this.#databases.push(database);
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      const isCommit = COMMIT.test(sql);
      for (const verb of ['run', 'all'] as const) {
        const carryOut = statement[verb].bind(statement) as (...given: never[]) => never;
        const watched = (...given: never[]) => {
          if (this.isOver) throw new Error('The server was killed.');
          if (isCommit) this.step();
          const result = carryOut(...given);
          if (isCommit) this.step();
          return result;
        };
        Object.assign(statement, { [verb]: watched });
      }
      return statement;
    };
    return database;
  };

  /** Closed by whoever writes it, or by the end of the process: not twice. */
  async #opened(opening: Promise<NewFile>): Promise<NewFile> {
    const file = await opening;
    let closing: Promise<void> | undefined;
    const close = () => (closing ??= file.close());
    if (this.isOver) await close();
    else this.#open.push(close);
    return { ...file, close };
  }

  async #around<T>(work: () => Promise<T>): Promise<T> {
    this.step();
    const result = await work();
    this.step();
    return result;
  }

  #alive<T>(work: () => Promise<T>): Promise<T> {
    return this.isOver ? never() : work();
  }
}
