import type { TrashPage } from '../../domain/protocol/trash.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import { transact } from '../storage/transactions.ts';

const KEY = 'trash';

/** The first page of the trash as last read from the server. */
export interface CachedTrash {
  readonly page: TrashPage;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
}

/** Reads the cached page. Undefined if there is none. It goes with all other copies at a log-out. */
export async function readTrashCopy(): Promise<CachedTrash | undefined> {
  const { cache } = browserEnvironment();
  const found = await transact(cache, 'r', [cache.values], () => cache.values.get(KEY));
  return found && { page: found.value as TrashPage, fetchedAt: found.fetchedAt };
}

/** Caches a page. */
export async function writeTrashCopy({ page, fetchedAt }: CachedTrash): Promise<void> {
  const { cache } = browserEnvironment();
  await transact(cache, 'rw', [cache.values], () => cache.values.put({ key: KEY, value: page, fetchedAt }));
}
