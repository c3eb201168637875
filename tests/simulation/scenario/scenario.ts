import type { QueuePause } from '../../../src/domain/outbox/vocabulary.ts';
import { StorageFullError } from '../../../src/offline/storage/errors.ts';
import { noticeLoss } from '../../../src/offline/storage/storage-loss.ts';
import type { Ledger } from '../oracle/ledger.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { OUTBOX } from '../world/environment.ts';
import type { World } from '../world/world.ts';
import type { Administrator } from './administrator.ts';
import type { FeedReader } from './feed-reader.ts';

/** The schema version of entries written by a newer version of the app. */
export const NEWER = 99;

/** Everything that an event can act on. */
export interface Scenario {
  readonly world: World;
  readonly ledger: Ledger;
  readonly oracle: Oracle;
  readonly administrator: Administrator;
  readonly feed: FeedReader;
}

/** Returns whether a page that opens finds that the browser has cleared the outbox. */
export async function wipeIsNoticed({ world }: Scenario): Promise<boolean> {
  const page = world.device.pages.at(-1) ?? world.device.openPage();
  let noticed: boolean | undefined;
  const look = () =>
    noticeLoss(page.environment).then(
      (was) => (noticed = was),
      (failure: unknown) => {
        // A device with a full storage reports it as soon as space is free.
        if (!(failure instanceof StorageFullError)) world.device.oddities.push(`${page.lane.name}: ${String(failure)}`);
        noticed = failure instanceof StorageFullError;
      },
    );
  world.scheduler.soon(() => void look(), page.lane);
  await world.scheduler.run(world.scheduler.now + 5_000, () => noticed !== undefined);
  return noticed === true;
}

/** The stored reason why the queue is paused. */
export function pauseOf({ world }: Scenario): string | undefined {
  const rows = world.device.storage.rows<{ key: string; value: unknown }>(OUTBOX, 'meta');
  const pause = rows.find(({ key }) => key === 'pause')?.value as QueuePause | undefined;
  return pause?.cause;
}
