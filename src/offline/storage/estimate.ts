import type { Environment } from './environment.ts';

/** Time-out of the estimate, which hangs when the storage does. Milliseconds. */
const PATIENCE = 2_000;

/** What the browser says of its storage, in bytes. Empty if it says nothing (Safari before 17), or does not answer in time. */
export async function estimateOf({ room, after }: Pick<Environment, 'room' | 'after'>): Promise<StorageEstimate> {
  const asked = room?.estimate?.();
  if (asked === undefined) return {};
  let stopWaiting = () => {};
  const patience = new Promise<StorageEstimate>((resolve) => {
    stopWaiting = after(PATIENCE, () => resolve({}));
  });
  const told = await Promise.race([asked.catch((): StorageEstimate => ({})), patience]);
  stopWaiting();
  return told;
}
