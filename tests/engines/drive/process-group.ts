import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A program with all processes that it starts. A browser is a dozen of them, and a tablet that loses power ends them all.
 */
export class ProcessGroup {
  readonly #leader: ChildProcess;
  #text = '';

  private constructor(leader: ChildProcess) {
    this.#leader = leader;
    for (const stream of [leader.stdout, leader.stderr])
      stream?.on('data', (text: Buffer) => (this.#text += text.toString()));
    // `says` reports a program that cannot be started.
    leader.on('error', (failure) => (this.#text += String(failure)));
  }

  static start(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): ProcessGroup {
    const leader = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      detached: true,
    });
    return new ProcessGroup(leader);
  }

  /** Its output so far. */
  get log(): string {
    return this.#text;
  }

  /** Waits until the output matches, and returns the first group of the match. Throws if the program ends before. */
  async says(form: RegExp): Promise<string> {
    for (;;) {
      const [, found] = form.exec(this.#text) ?? [];
      if (found !== undefined) return found;
      if (this.#leader.pid === undefined || this.hasEnded) throw new Error(`It ended too early:\n${this.#text}`);
      await sleep(20);
    }
  }

  get hasEnded(): boolean {
    return this.#leader.exitCode !== null || this.#leader.signalCode !== null;
  }

  /** The memory currently used by all its processes. Bytes. Shared pages are divided among their users (PSS). */
  memory(): number {
    const sizes = membersOf(this.#leader.pid ?? 0).map((id) => {
      try {
        const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')) ?? [];
        return Number(kilobytes) * 1024;
      } catch {
        return 0; // It has ended since.
      }
    });
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Kills all of them (kill -9) and waits until none runs: the next program may use the same files. */
  async kill(): Promise<void> {
    const { pid } = this.#leader;
    if (pid === undefined) return;
    while (membersOf(pid).length > 0) {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        return;
      }
      await sleep(20);
    }
  }
}

/** The processes of this group that still run. Excludes zombies. */
function membersOf(group: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines.flatMap((line) => {
    const [id, of, state = 'Z'] = line.trim().split(/\s+/);
    return Number(of) === group && !state.startsWith('Z') ? [Number(id)] : [];
  });
}
