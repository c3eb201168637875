import { ACTIVITY_PATH, type ActivityEntry, readActivity } from '../domain/activity.ts';
import { RESOURCES } from '../domain/resources/index.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';
import { listCopy } from './sources.ts';

/** So long it is waited for more that changes before it is asked again, in milliseconds. */
const CALM = 500;

/**
 * Asks what happened lately, and again whenever a list has changed. Nothing is kept on the device, and without an answer nothing is
 * told: it is no fault that somebody has to see. The returned function ends that.
 */
export function followActivity(told: (entries: readonly ActivityEntry[]) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const ask = async () => {
    const entries = await answered();
    if (!isOver && entries !== undefined) told(entries);
  };
  const stops = RESOURCES.map((resource) => {
    const copy = listCopy(resource);
    let known = copy.state().value;
    return copy.subscribe(() => {
      const { value } = copy.state();
      if (value === known) return;
      known = value;
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), CALM);
    });
  });
  void ask();
  return () => {
    isOver = true;
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

async function answered(): Promise<readonly ActivityEntry[] | undefined> {
  try {
    return readActivity((await get(ACTIVITY_PATH)).body);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return undefined;
  }
}
