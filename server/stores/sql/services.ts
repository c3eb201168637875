import type { Services } from '../../services.ts';
import type { Engine } from './engine.ts';
import type { KeptLists } from './list-cache.ts';
import type { RenewedLists } from './renewed-lists.ts';
import type { FilesOwner } from './files-owner.ts';
import type { Removal } from './removal.ts';

/** The dependencies of this store. */
export interface SqlServices extends Services, Engine {
  readonly lists: KeptLists;
  readonly wholeLists: RenewedLists;
  readonly owner: FilesOwner;
  readonly removal: Removal;
}
