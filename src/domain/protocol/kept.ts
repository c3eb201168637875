/**
 * Confirmed changes stay on the device that made them until the server has said that they are in a verified backup
 * (docs/decisions, "Confirmed changes are kept until backed up"). A server that supports it says so in its capabilities.
 */

/** Takes the keys of changes that a device keeps (`?keys=`, separated by commas). Answers with `KeptAnswer`. */
export const KEPT_PATH = '/api/kept';

/** The most keys in one question: its address stays below 4 kB. */
export const MOST_KEPT_ASKED = 100;

/** What a server says of the keys that it was asked for. A key in neither list is known, and in no backup yet. */
export interface KeptAnswer {
  /** Keys under which nothing was executed in this history of the database. */
  readonly forgotten: readonly string[];
  /** Keys of changes that are in a verified backup. */
  readonly backedUp: readonly string[];
}

/** The state of a server's database. Told with every page of the feed. */
export interface Standing {
  /** The newest epoch. */
  readonly epoch: string;
  /** Up to where a verified backup of this history holds everything, as a cursor. Absent if none does. */
  readonly backedUp?: string;
}

/** Two servers, or moments, with the same standing say the same of every key. */
export function standingText({ epoch, backedUp = '' }: Standing): string {
  return `${epoch}/${backedUp}`;
}

/** True if a server whose standing has this text has made a backup of its history. */
export function hasBackup(standing: string): boolean {
  return !standing.endsWith('/');
}

/** The header of a change that is sent again after the server has forgotten it. Its value is `Again` as JSON. */
export const AGAIN_HEADER = 'Sent-Again';

/** What a change that is sent again was given the first time. */
export interface Again {
  /** The id of the record that it created. */
  readonly id?: number;
  /** The ids of the images that it added, in order. */
  readonly images?: readonly number[];
}

/** The most images of one change whose ids may be named. */
const MOST_IMAGES = 500;

/** Reads what a sender says. Undefined for anything else. */
export function readAgain(said: unknown): Again | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { id, images } = said as Record<string, unknown>;
  if (id !== undefined && !isId(id)) return undefined;
  if (images !== undefined && !(Array.isArray(images) && images.length <= MOST_IMAGES && images.every(isId)))
    return undefined;
  return { ...(id === undefined ? {} : { id }), ...(images === undefined ? {} : { images }) } as Again;
}

function isId(id: unknown): id is number {
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0;
}
