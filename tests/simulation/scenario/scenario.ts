import type { QueuePause } from '../../../src/domain/outbox/vocabulary.ts';
import { StorageFullError } from '../../../src/offline/storage/errors.ts';
import { noticeLoss } from '../../../src/offline/storage/storage-loss.ts';
import type { Ledger } from '../oracle/ledger.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { OUTBOX } from '../world/environment.ts';
import type { World } from '../world/world.ts';
import type { Administrator } from './administrator.ts';
import type { FeedReader } from './feed-reader.ts';

/** The schema of entries that a newer version of the app has written. */
export const NEWER = 99;

/** Everything that an event can take hold of. */
export interface Scenario {
  readonly world: World;
  readonly ledger: Ledger;
  readonly oracle: Oracle;
  readonly administrator: Administrator;
  readonly feed: FeedReader;
}

/** What the page finds when it is opened: that the browser has thrown the outbox away. */
export async function wipeIsNoticed({ world }: Scenario): Promise<boolean> {
  const page = world.device.pages.at(-1) ?? world.device.openPage();
  let noticed: boolean | undefined;
  const look = () =>
    noticeLoss(page.environment).then(
      (was) => (noticed = was),
      (failure: unknown) => {
        // a device without any room tells it as soon as there is some
        if (!(failure instanceof StorageFullError)) world.device.oddities.push(`${page.lane.name}: ${String(failure)}`);
        noticed = failure instanceof StorageFullError;
      },
    );
  world.scheduler.soon(() => void look(), page.lane);
  await world.scheduler.run(world.scheduler.now + 5_000, () => noticed !== undefined);
  return noticed === true;
}

/** How the queue is held back just now, as stored. */
export function pauseOf({ world }: Scenario): string | undefined {
  const rows = world.device.storage.rows<{ key: string; value: unknown }>(OUTBOX, 'meta');
  const pause = rows.find(({ key }) => key === 'pause')?.value as QueuePause | undefined;
  return pause?.cause;
}
