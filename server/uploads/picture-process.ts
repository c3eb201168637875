import { type ChildProcess, fork } from 'node:child_process';
import type { CodecAnswer, CodecInput, CodecTask, CodecValue } from './codec-process.ts';
import { PictureFault, PictureTooLarge } from './picture-fault.ts';

/** Limits of the process that decodes. */
interface Limits {
  /** Resident memory, its own 70 MB included. Bytes. */
  readonly memory: number;
  /** Beyond the time that a task gives itself. Milliseconds. */
  readonly grace: number;
  /** An idle process gives its memory back. Milliseconds. */
  readonly idle: number;
}

const LIMITS: Limits = { memory: 400 * 1024 * 1024, grace: 5_000, idle: 60_000 };

/** The time that a task gives itself unless it says otherwise. Seconds. */
const MOST_SECONDS = 10;

/** The heap of the process is small: pictures are outside of it. As in `npm start`, freed memory does not stay with threads. */
const ARGUMENTS = ['--max-semi-space-size=2', '--max-old-space-size=64', '--disable-warning=ExperimentalWarning'];
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1' };

/**
 * Decodes pictures in a process of its own, one task at a time, without the server's environment. A picture that takes too
 * much memory or time, or that crashes the decoder, ends that process and not the server: its death is the answer to the
 * task, and the next task starts another one.
 */
export class PictureProcess {
  readonly #limits: Limits;
  #child: ChildProcess | undefined;
  #resting: NodeJS.Timeout | undefined;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** The id of the running process. Undefined if there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Runs a task. Throws PictureFault, PictureTooLarge, and the signal's reason as soon as it is aborted. */
  async run<T extends CodecTask>(task: T, input: CodecInput<T>, signal?: AbortSignal): Promise<CodecValue<T>> {
    signal?.throwIfAborted();
    clearTimeout(this.#resting);
    const child = (this.#child ??= this.#begin());
    holdOpen(child, true);
    const seconds = (task === 'encodeAnew' ? (input as CodecInput<'encodeAnew'>)[2] : undefined) ?? MOST_SECONDS;
    try {
      return await this.#ask(child, { task, input }, { signal, time: seconds * 1000 + this.#limits.grace });
    } finally {
      holdOpen(child, false);
      this.#resting = setTimeout(() => this.#end(child), this.#limits.idle).unref();
    }
  }

  #begin(): ChildProcess {
    const child = fork(new URL('codec-process.ts', import.meta.url), [String(this.#limits.memory)], {
      serialization: 'advanced',
      execArgv: ARGUMENTS,
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.once('exit', () => this.#forget(child)).on('error', () => this.#forget(child));
    return child;
  }

  #forget(child: ChildProcess): void {
    if (this.#child === child) this.#child = undefined;
  }

  #end(child: ChildProcess): void {
    this.#forget(child);
    child.kill('SIGKILL');
  }

  #ask<T extends CodecTask>(
    child: ChildProcess,
    question: { readonly task: T; readonly input: CodecInput<T> },
    { signal, time }: { readonly signal: AbortSignal | undefined; readonly time: number },
  ): Promise<CodecValue<T>> {
    const settled = new AbortController();
    return new Promise<CodecValue<T>>((resolve, reject) => {
      const stop = (reason: unknown) => {
        reject(reason);
        this.#end(child);
      };
      const timer = setTimeout(() => stop(new PictureFault('Decoding took too long: timeout.')), time);
      const onMessage = (answer: CodecAnswer) => {
        if (answer.outcome === 'done') resolve(answer.value as CodecValue<T>);
        else
          reject(
            answer.outcome === 'too large' ? new PictureTooLarge(answer.message) : new PictureFault(answer.message),
          );
      };
      const onExit = (code: number | null, by: NodeJS.Signals | null) => reject(faultOf(code, by));
      const onAbort = () => stop(signal?.reason);
      child.once('message', onMessage).once('exit', onExit).once('error', reject);
      signal?.addEventListener('abort', onAbort, { once: true });
      settled.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit).off('error', reject);
        signal?.removeEventListener('abort', onAbort);
      });
      child.send(question, (error) => {
        // a process that has died is reported by its exit
        if (error !== null && child.exitCode === null && child.signalCode === null) stop(error);
      });
    }).finally(() => settled.abort());
  }
}

/**
 * What a death says. The process is killed when it takes too much memory: by itself, or by the system, which kills the
 * largest one. Anything else is a crash of the decoder.
 */
function faultOf(code: number | null, by: NodeJS.Signals | null): Error {
  if (by === 'SIGKILL') return new PictureTooLarge('Decoding took too much memory.');
  return new PictureFault(`The decoder ended: ${by ?? code}.`);
}

/** Keeps this process running for an answer, and only for that. */
function holdOpen(child: ChildProcess, isAwaited: boolean): void {
  const method = isAwaited ? 'ref' : 'unref';
  child[method]();
  child.channel?.[method]();
}
