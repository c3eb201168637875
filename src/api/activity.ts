import { ACTIVITY_PATH, type ActivityEntry, readActivity } from '../domain/activity.ts';
import { RESOURCES } from '../domain/resources/index.ts';
import { onReturn } from '../stores/connection.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';
import { listCopy } from './sources.ts';

/** How long further list changes are awaited before the next request. Milliseconds. */
const CALM = 500;

/**
 * Fetches recent activity, and again whenever a list changes or the connection returns. Stores nothing on the device. Without
 * an answer `told` is not called, because the user does not need to see that failure. Returns a function that stops.
 */
export function followActivity(told: (entries: readonly ActivityEntry[]) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let asked = 0;
  let newest = 0;
  const ask = async () => {
    asked += 1;
    const own = asked;
    const entries = await answered();
    // the answer to a later request may have arrived first
    if (isOver || own < newest || entries === undefined) return;
    newest = own;
    told(entries);
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
  stops.push(onReturn(() => void ask()));
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
