import { createHash } from 'node:crypto';
import type { FileStore } from '../../uploads/file-store.ts';
import { type Marker, type MarkerPlace, readMarker, writeMarker } from '../../uploads/marker.ts';
import { isKnown, positionNow } from './epochs.ts';
import { secretOf } from './secrets.ts';
import type { Database } from './tables.ts';

/*
 * Whose files are these? A database and its files may be parted: by a lost or older database, a folder that is not mounted, a
 * copy of the database with the settings of the original. Then the files that no record names are most of all worth keeping.
 * A marker with the files names their installation and the latest position of its history. A server starts only where it agrees.
 */

/** The files belong to another database, or the database is not what it was. */
export class NotOwnFiles extends Error {}

/** The database of an installation, and the store of its files. */
export interface Owning {
  readonly db: Database;
  readonly files: FileStore;
  readonly randomBytes: (count: number) => Buffer;
  /** Identifies the database among copies of it. Undefined if nothing does. */
  readonly database: string | undefined;
}

/** The right of a running server to change the files. */
export interface FilesOwner {
  /** True if the files are still this installation's. Everything that removes files asks first. */
  isConfirmed(): Promise<boolean>;
  /** Records the current position with the files, soon. Called after every change that added files. */
  advance(): void;
  /** Why the files are no longer this installation's. Undefined if they are. */
  problem(): string | undefined;
  /** Records the last position. */
  close(): Promise<void>;
}

const ADOPT = 'npm run adopt (with containers: node --import ./server/require-node.js server/cli.ts adopt)';

/** The public identity of an installation, derived from its secret. */
export function installationId(secret: Buffer): string {
  return createHash('sha256').update('installation').update(secret).digest('base64url').slice(0, 22);
}

/** The identity of the installation in a database. */
export async function installationIn({ db, randomBytes }: Pick<Owning, 'db' | 'randomBytes'>): Promise<string> {
  return installationId(await secretOf(db, 'anti-forgery', randomBytes));
}

/** How a server uses the files. */
interface Using {
  /** The least time between marks. Milliseconds. */
  readonly pace: number;
  /** Begins an epoch. */
  readonly begin: () => Promise<unknown>;
}

/** Throws NotOwnFiles unless the files are those of this database. Otherwise begins an epoch and marks them. */
export async function ownFiles(owning: Owning, { pace, begin }: Using): Promise<FilesOwner> {
  const { marker } = owning.files;
  const installation = await installationIn(owning);
  if (marker !== undefined) await assertOwn(owning, marker, installation);
  await begin();
  // files within the database cannot be parted from it
  if (marker === undefined) return inDatabase;
  const owner = new Marking(owning, marker, installation, pace);
  await owner.mark().catch((error: unknown) => {
    // on a full disk the next change marks them
    if (owning.files.isFolder !== true) throw error;
  });
  return owner;
}

/** Makes the files those of this database, whatever they were. Only while no server runs. */
export async function adoptFiles(owning: Owning, formerly: readonly string[] = []): Promise<void> {
  const { marker } = owning.files;
  if (marker === undefined) return;
  const installation = await installationIn(owning);
  const { database } = owning;
  await writeMarker(marker, {
    installations: [...new Set([installation, ...formerly])],
    ...(database === undefined ? {} : { database }),
  });
}

const inDatabase: FilesOwner = {
  isConfirmed: async () => true,
  advance: () => undefined,
  problem: () => undefined,
  close: async () => undefined,
};

async function assertOwn(owning: Owning, place: MarkerPlace, installation: string): Promise<void> {
  const marker = await readMarker(place);
  const isNew = (await owning.db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
  if (isNew && !(marker?.installations.includes(installation) ?? false)) {
    if (marker !== undefined || (await owning.files.settled()).length > 0) throw noDatabase(place.name);
    return;
  }
  const why = marker === undefined ? await whyMissing(owning) : await whyNot(owning, marker, installation);
  if (why !== undefined) throw new NotOwnFiles(`${place.name} ${why} Nothing was changed.`);
}

/** The error of a new database beside existing files. */
export function noDatabase(name: string): NotOwnFiles {
  return new NotOwnFiles(
    `${name} has files, but their database is missing or empty. Put the database back, or restore a backup: npm run restore -- FILE. To begin with a new database and keep the files aside, run ${ADOPT}. Nothing was changed.`,
  );
}

/** Why this database may not use the files of a marker, as the end of a sentence. Undefined if it may. */
async function whyNot({ db, database }: Owning, marker: Marker, installation: string): Promise<string | undefined> {
  const elsewhere = `Give this database files of its own (UPLOADS_URL, DATA_DIR). If it takes over these, and no other server uses them, run ${ADOPT}.`;
  if (!marker.installations.includes(installation)) return `has the files of another installation. ${elsewhere}`;
  if (marker.database !== undefined && database !== undefined && marker.database !== database)
    return `has the files of another copy of this database. ${elsewhere}`;
  if (marker.at === undefined || (await isKnown(db, marker.at))) return undefined;
  return `has files of a later state than this database, which is an older copy. Put the newer database back, or restore a backup. To go on with the older one, run ${ADOPT}: files that it does not name are kept for 30 days.`;
}

/** Files to look for where a marker is missing. */
const SAMPLE = 20;

/** Why there can be no files of this database where no marker is. An earlier version of this program wrote none. */
async function whyMissing({ db, files }: Owning): Promise<string | undefined> {
  const named = await db.selectFrom('files').select('name').orderBy('name').limit(SAMPLE).execute();
  if (named.length === 0) return undefined;
  for (const { name } of named) if (await files.keeps(name)) return undefined;
  return `has none of the files that the database names. Is it the right folder, and mounted? If the files are lost, run ${ADOPT}: the server then starts without them.`;
}

class Marking implements FilesOwner {
  readonly #owning: Owning;
  readonly #place: MarkerPlace;
  readonly #installation: string;
  readonly #pace: number;
  #problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #marking: Promise<void> = Promise.resolve();

  constructor(owning: Owning, place: MarkerPlace, installation: string, pace: number) {
    this.#owning = owning;
    this.#place = place;
    this.#installation = installation;
    this.#pace = pace;
  }

  async isConfirmed(): Promise<boolean> {
    const marker = await readMarker(this.#place);
    const why =
      marker === undefined ? await whyMissing(this.#owning) : await whyNot(this.#owning, marker, this.#installation);
    this.#problem = why === undefined ? undefined : `${this.#place.name} ${why}`;
    return why === undefined;
  }

  /** Writes the current position, unless the files have become somebody else's. */
  async mark(): Promise<void> {
    const { db, database } = this.#owning;
    const at = await positionNow(db);
    await writeMarker(this.#place, {
      installations: [this.#installation],
      ...(database === undefined ? {} : { database }),
      at,
    });
  }

  advance(): void {
    this.#timer ??= setTimeout(() => this.#markNow(), this.#pace).unref();
  }

  problem(): string | undefined {
    return this.#problem;
  }

  async close(): Promise<void> {
    if (this.#timer === undefined) return this.#marking;
    clearTimeout(this.#timer);
    this.#markNow();
    await this.#marking;
  }

  #markNow(): void {
    this.#timer = undefined;
    const mark = async () => ((await this.isConfirmed()) ? this.mark() : undefined);
    // a mark that fails is made with the next one
    this.#marking = this.#marking.then(mark).catch(() => undefined);
  }
}
