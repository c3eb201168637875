import { Worker } from 'node:worker_threads';
import { turns } from '../concurrency/concurrency.ts';
import { Refusal } from '../errors/refusal.ts';
import type { GuessAnswer, GuessQuestion } from './guess-thread.ts';

/**
 * Only so many characters are estimated: the time grows with the cube of the length, and a prefix that is hard to guess makes
 * the whole password hard to guess.
 */
const MOST_ESTIMATED = 40;
/** An ordinary password takes 10 ms, the worst 300 ms. A busy machine may be slow. Milliseconds. */
const MOST_TIME = 10_000;
/** Seconds. */
const COME_AGAIN = 5;

/** The word lists take 60 MB, which are given back after this time without a question. Milliseconds. */
const IDLE = 60_000;
const RESOURCES = { maxOldGenerationSizeMb: 256 };

const queue = turns(1, { ofOne: 3, ofAll: 20 });
/** Started on first use. */
let thread: Promise<Worker> | undefined;
let resting: NodeJS.Timeout | undefined;

/**
 * Estimates how many guesses passwords take, as powers of ten, on a thread of its own. `words` are names that an attacker
 * knows; the first is its owner's, whose estimates wait for each other. Throws a Refusal: 429 if too many wait, 503 if it
 * takes more than ten seconds.
 */
export function guessesFor(
  passwords: readonly string[],
  words: readonly string[],
  mostTime = MOST_TIME,
): Promise<readonly number[]> {
  const question = { passwords: passwords.map((password) => password.slice(0, MOST_ESTIMATED)), words };
  return queue.soon({ by: words[0] ?? '' }, async () => {
    clearTimeout(resting);
    thread ??= begin();
    const worker = await thread;
    worker.ref();
    try {
      return await answerOf(worker, question, mostTime);
    } catch (error) {
      thread = undefined;
      void worker.terminate();
      throw error;
    } finally {
      worker.unref();
      clearTimeout(resting);
      resting = setTimeout(rest, IDLE).unref();
    }
  });
}

/** Gives the memory of the word lists back. */
function rest(): void {
  void thread?.then((worker) => worker.terminate());
  thread = undefined;
}

/** Resolves when the word lists are loaded, which is not counted as time of a question. */
function begin(): Promise<Worker> {
  const worker = new Worker(new URL('guess-thread.ts', import.meta.url), { resourceLimits: RESOURCES });
  return new Promise<Worker>((resolve, reject) => {
    worker.once('error', reject);
    onAnswer(worker, (answer) => 'isReady' in answer && resolve(worker));
  }).catch((error: unknown) => {
    thread = undefined;
    throw error;
  });
}

function answerOf(worker: Worker, question: GuessQuestion, mostTime: number): Promise<readonly number[]> {
  return new Promise<readonly number[]>((resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow()), mostTime);
    worker.removeAllListeners('error').once('error', () => reject(tooSlow()));
    onAnswer(worker, (answer) => {
      if (!('guesses' in answer)) return;
      clearTimeout(timer);
      resolve(answer.guesses);
    });
    worker.postMessage(question, []);
  });
}

/** Under `node --watch`, Node also reports the thread's imports on this channel. */
function onAnswer(worker: Worker, told: (answer: GuessAnswer) => void): void {
  worker.removeAllListeners('message');
  worker.on('message', (message: unknown) => {
    if (typeof message === 'object' && message !== null && ('isReady' in message || 'guesses' in message))
      told(message as GuessAnswer);
  });
}

function tooSlow(): Refusal {
  const message = 'The password could not be checked in time. Please try again, or choose a shorter one.';
  return new Refusal(503, { message, code: 'too-slow' }, { 'Retry-After': String(COME_AGAIN) });
}
