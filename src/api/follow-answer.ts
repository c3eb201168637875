import { onReturn } from '../stores/connection.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';

/**
 * Asks for a path now, every `every` milliseconds, and when the connection returns, and tells each answer. Tells undefined without one,
 * since what was true before may not be now. Returns a function that stops.
 */
export function followAnswer<T>(path: string, every: number, told: (answer: T | undefined) => void): () => void {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    const own = asked;
    const answer = await answered<T>(path);
    if (own === asked) told(answer);
  };
  const timer = setInterval(() => void ask(), every);
  const stop = onReturn(() => void ask());
  void ask();
  return () => {
    // no answer is the latest any more
    asked += 1;
    clearInterval(timer);
    stop();
  };
}

async function answered<T>(path: string): Promise<T | undefined> {
  try {
    return (await get(path)).body as T;
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return undefined;
  }
}
