import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disk, writeWhole } from './disk.ts';

/** The name of the marker beside the files. Begins with a dot, so that it is never served and never counts as a file. */
export const MARKER = '.installation.json';

/** Says whose files these are. It lies with the files, in their folder or bucket. */
export interface Marker {
  /** The installations that may use the files: one, and the one before while a restore replaces it. */
  readonly installations: readonly string[];
  /** Identifies the database among copies of it, if it can tell. */
  readonly database?: string;
  /** The latest known position of the database's history. Absent if whatever the database contains is right. */
  readonly at?: { readonly epoch: string; readonly seq: number };
}

/** Where a marker lies. */
export interface MarkerPlace {
  /** A display name of the folder or bucket. */
  readonly name: string;
  /** The marker's text. Undefined if there is none. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** Reads a marker. Undefined if there is none. Throws a readable error for one that is damaged. */
export async function readMarker(place: MarkerPlace): Promise<Marker | undefined> {
  const text = await place.read();
  if (text === undefined) return undefined;
  const marker = parsed(text) as Partial<Marker> | undefined;
  if (Array.isArray(marker?.installations)) return marker as Marker;
  throw new Error(`${place.name}: the file ${MARKER} is damaged. npm run adopt writes it anew.`);
}

/** Writes a marker. */
export function writeMarker(place: MarkerPlace, marker: Marker): Promise<void> {
  return place.write(JSON.stringify(marker));
}

/** A marker in a folder of files. */
export function markerIn(folder: string, disk: Disk): MarkerPlace {
  const path = join(folder, MARKER);
  return {
    name: folder,
    read: () => readFile(path, 'utf8').catch(missing),
    write: (text) => writeWhole(disk, `${path}.${process.pid}.part`, path, Buffer.from(text)),
  };
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
