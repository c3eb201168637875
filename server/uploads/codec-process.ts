import { writeFileSync } from 'node:fs';
import { encodeAnew, encodeSmaller, pixelsOf } from './picture-codec.ts';
import { PictureTooLarge } from './picture-fault.ts';

const TASKS = { encodeAnew, pixelsOf, encodeSmaller };

/** The name of a task. */
export type CodecTask = keyof typeof TASKS;
/** The arguments of a task. */
export type CodecInput<T extends CodecTask> = Parameters<(typeof TASKS)[T]>;
/** The result of a task. */
export type CodecValue<T extends CodecTask> = Awaited<ReturnType<(typeof TASKS)[T]>>;

/** The answer to a task. */
export type CodecAnswer =
  | { readonly outcome: 'done'; readonly value: unknown }
  | { readonly outcome: 'fault' | 'too large'; readonly message: string };

/** How often the memory is looked at. The fastest decoder takes 60 MB meanwhile. Milliseconds. */
const LOOK_EVERY = 20;

/** A process that only decodes pictures, for the server that has started it (picture-process.ts). */
function serve(mostMemory: number): void {
  goFirst();
  // on a busy machine a killed process runs on for a moment: what it says then does not count
  let isDying = false;
  const dieOfMemory = () => {
    if (isDying || process.memoryUsage.rss() <= mostMemory) return;
    isDying = true;
    die();
  };
  // decoding has its own threads, so this one is free to look
  setInterval(dieOfMemory, LOOK_EVERY).unref();
  process.once('disconnect', die);
  process.on('message', async ({ task, input }: { task: CodecTask; input: readonly never[] }) => {
    const work: (...args: never[]) => Promise<unknown> = TASKS[task];
    const answer = await answerOf(work(...input));
    // a task that is quicker than the first look
    dieOfMemory();
    if (!isDying) process.send?.(answer);
  });
}

async function answerOf(work: Promise<unknown>): Promise<CodecAnswer> {
  return work.then(
    (value) => ({ outcome: 'done', value }),
    (error: Error) => ({ outcome: error instanceof PictureTooLarge ? 'too large' : 'fault', message: error.message }),
  );
}

/** At once: an ordinary exit waits for the decoder's threads. */
function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Has the system end this process rather than the server when memory is short (proc(5), oom_score_adj). */
function goFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // not Linux
  }
}

serve(Number(process.argv[2]));
