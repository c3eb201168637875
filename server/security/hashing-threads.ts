import type { Argon2Parameters } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../errors/refusal.ts';

/** Computes a hash on one thread. */
type Thread = (parameters: Argon2Parameters) => Promise<Uint8Array>;

/** A place in the queue. Called with a thread when one is free. */
type Turn = (thread: Thread) => void;

/** Leaves one core for everything else. Also bounds the memory for hashes: two at once take 128 MiB. */
const MOST_THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Maximum queue length. Further requests are told to try again, since an unbounded queue would answer nobody in time. */
const MOST_WAITING = 20;
const COME_AGAIN = 5;

/** Password hashing threads, shared by the whole process and started on first use. */
const idle: Thread[] = Array.from({ length: MOST_THREADS }, newThread);
const waiting: { readonly first: Turn[]; readonly others: Turn[] } = { first: [], others: [] };

/**
 * Hashes with argon2id on a separate thread. Calls with `goesFirst` skip ahead of the others. Throws 429 if too many wait.
 */
export async function argon2id(parameters: Argon2Parameters, goesFirst: boolean): Promise<Buffer> {
  const thread = idle.pop() ?? (await turn(goesFirst ? waiting.first : waiting.others));
  try {
    return Buffer.from(await thread(parameters));
  } finally {
    const next = waiting.first.shift() ?? waiting.others.shift();
    if (next === undefined) idle.push(thread);
    else next(thread);
  }
}

function turn(line: Turn[]): Promise<Thread> {
  if (line.length >= MOST_WAITING) throw tooBusy();
  return new Promise((resolve) => line.push(resolve));
}

function tooBusy(): Refusal {
  const message = `Too many people are signing in at this moment. Please try again in ${COME_AGAIN} seconds.`;
  return new Refusal(429, { message, code: 'too-busy' }, { 'Retry-After': String(COME_AGAIN) });
}

/** Creates a thread. It keeps the process alive only while it hashes. After a failure the next call starts a new one. */
function newThread(): Thread {
  let worker: Worker | undefined;
  return async (parameters) => {
    worker ??= new Worker(new URL('password-thread.ts', import.meta.url));
    const running = worker;
    running.ref();
    try {
      return await answerOf(running, parameters);
    } catch (error) {
      worker = undefined;
      throw error;
    } finally {
      running.unref();
    }
  };
}

/**
 * Resolves with the hash. Under `node --watch`, Node also reports the thread's imports on this channel; those messages are
 * ignored.
 */
function answerOf(worker: Worker, parameters: Argon2Parameters): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners('message').removeAllListeners('error');
    worker.on('message', (message: unknown) => {
      if (message instanceof Uint8Array) resolve(message);
    });
    worker.once('error', reject);
    worker.postMessage(parameters, []);
  });
}
