import type { TrashPage, TrashPart } from '../../src/domain/protocol/trash.ts';
import type { Resource } from '../../src/domain/resource.ts';
import type { StoredFile } from '../uploads/storage.ts';
import type { Applied, Caller, ChangeAnswer, IdempotencyKey } from './store.ts';

/** Deleted records, for as long as the installation keeps them. */
export interface Trash {
  /** A page of what was deleted, the latest first. */
  page(part: TrashPart): Promise<TrashPage>;
  /**
   * Puts a deleted record back under its id, with its files and history and a new version. A record that is there already stays as it
   * is. Throws 404 if it is neither there nor in the trash.
   */
  restore(caller: Caller, resource: Resource, id: number, key?: IdempotencyKey): Promise<Applied>;
  /** Deletes a deleted record for good, with its files. Throws 404 if it is not in the trash. */
  purge(caller: Caller, resource: Resource, id: number): Promise<ChangeAnswer>;
  /** The metadata of a file that is kept for a deleted record. */
  file(name: string): Promise<StoredFile | undefined>;
}
