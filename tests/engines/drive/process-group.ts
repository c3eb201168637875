import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program with all that it starts: a browser is a dozen processes, and a dying tablet ends them all. */
export class ProcessGroup {
  readonly #leader: ChildProcess;
  #text = '';

  private constructor(leader: ChildProcess) {
    this.#leader = leader;
    for (const stream of [leader.stdout, leader.stderr])
      stream?.on('data', (text: Buffer) => (this.#text += text.toString()));
    // A program that cannot be started is told by `says`.
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

  /** What it has written so far. */
  get log(): string {
    return this.#text;
  }

  /** Waits until it writes something of this form, and answers the form's first group. Throws when it ends before. */
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

  /** The memory that all of them hold now, in bytes: each page that several share counts in parts (PSS). */
  memory(): number {
    const sizes = membersOf(this.#leader.pid ?? 0).map((id) => {
      try {
        const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')) ?? [];
        return Number(kilobytes) * 1024;
      } catch {
        return 0; // It has ended meanwhile.
      }
    });
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** kill -9 for all of them, and waits until none of them runs: the next one may use the same files. */
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

/** The processes of this group that still run. One that only waits to be forgotten by its parent does not. */
function membersOf(group: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines.flatMap((line) => {
    const [id, of, state = 'Z'] = line.trim().split(/\s+/);
    return Number(of) === group && !state.startsWith('Z') ? [Number(id)] : [];
  });
}
