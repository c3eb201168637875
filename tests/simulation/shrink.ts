import type { Schedule } from './scenario/schedule.ts';

/**
 * Removes from a failing schedule all parts that the failure does not need, within this many tries. `fails` plays a
 * schedule.
 */
export async function shrink(
  schedule: Schedule,
  fails: (candidate: Schedule) => Promise<boolean>,
  tries = 150,
): Promise<Schedule> {
  let left = tries;
  let smallest = schedule;
  const attempt = async (candidate: Schedule) => {
    if (left <= 0) return false;
    left -= 1;
    if (!(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };
  await attempt({ ...schedule, faultRate: 0 });
  await endFaultsEarly(smallest, attempt);
  for (let size = Math.ceil(smallest.events.length / 2); size >= 1; size = Math.floor(size / 2)) {
    let start = 0;
    while (start < smallest.events.length) {
      const events = smallest.events.toSpliced(start, size);
      if (!(await attempt({ ...smallest, events }))) start += size;
    }
  }
  await endFaultsEarly(smallest, attempt);
  return smallest;
}

/** Ends the faults at the earliest request from which the failure does not need them. */
async function endFaultsEarly(schedule: Schedule, attempt: (candidate: Schedule) => Promise<boolean>): Promise<void> {
  let low = 0;
  let high = Math.min(schedule.faultsEnd, 512);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await attempt({ ...schedule, faultsEnd: middle })) high = middle;
    else low = middle + 1;
  }
}
