import { openSqlite } from '../../../server/stores/sqlite/sqlite.ts';
import type { Disk, NewFile } from '../../../server/uploads/disk.ts';
import { quickDisk } from './quick-disk.ts';

type Database = ReturnType<typeof openSqlite>;

/**
 * Waits for ever: the work of a killed server has no effect and no result. A single shared promise would retain everything
 * that ever waited for it.
 */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** What the journal commits outside of a transaction is a separate commit. */
const COMMIT =
  /^(commit|insert into "(entries|image_owners)"|delete from "entries"|update "entries" set "credentials")/i;

/** One run of a server until it is killed at one of its steps: around each commit, each move of a file and each request. */
export class ServerLife {
  isOver = false;
  readonly killed: Promise<'killed'>;
  /** Steps until it is killed. */
  #left = Number.POSITIVE_INFINITY;
  readonly #databases: Database[] = [];
  /** Functions that close open files. */
  readonly #open: (() => Promise<void>)[] = [];
  #tell: (word: 'killed') => void = () => undefined;

  constructor() {
    this.killed = new Promise((resolve) => (this.#tell = resolve));
  }

  /** Kills it at the nth step from now, counted from 1. */
  killAt(step: number): void {
    this.#left = step;
  }

  /** A point at which it can be killed. Throws if it is. */
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

  /** Closes its files as the end of a process does: rolls back what was not committed, and releases its locks. */
  bury(): void {
    this.isOver = true;
    for (const database of this.#databases.splice(0)) {
      // a server that could not start has closed its own
      if (database.isOpen) database.close();
      // A statement retains its database, which would retain the whole world.
      Reflect.deleteProperty(database, 'prepare');
    }
    for (const close of this.#open.splice(0)) void close();
  }

  readonly disk: Disk = {
    create: (path) => this.#alive(() => this.#opened(quickDisk.create(path))),
    append: (path) => this.#alive(() => this.#around(() => this.#opened(quickDisk.append(path)))),
    link: (from, to) => this.#alive(() => this.#around(() => quickDisk.link(from, to))),
    // Memory needs no flush.
    flush: () => this.#alive(async () => undefined),
    rename: (from, to) => this.#alive(() => this.#around(() => quickDisk.rename(from, to))),
    flushFolder: () => this.#alive(async () => undefined),
    remove: (path) => this.#alive(() => this.#around(() => quickDisk.remove(path))),
  };

  /** Opens a database whose commits are steps. */
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

  /** The file is closed by its writer or by the end of the process, not by both. */
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
