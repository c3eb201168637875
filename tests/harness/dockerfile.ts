import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** An instruction of a Dockerfile: `RUN`, and its arguments. */
interface Step {
  readonly verb: string;
  readonly words: string;
}

/** The result of a stage: a folder that stands for the image's root, and the command that starts its program. */
export interface FollowedStage {
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** Replaces a command, given its text. Returns false to run the command itself. */
export type Instead = (command: string, folder: string) => boolean;

/**
 * Follows the steps of a Dockerfile literally in folders below `scratch`, without a container. Each stage's root is a
 * folder, COPY respects .dockerignore, and RUN runs in the stage's working folder. Absolute paths in RUN are below the
 * stage's root.
 */
export function followDockerfile(text: string, scratch: string, instead: Instead): FollowedStage {
  const stages = new Map<string, Stage>();
  let stage = new Stage(join(scratch, 'none'));
  for (const { verb, words } of stepsOf(text)) {
    if (verb === 'FROM') {
      const name = / AS (\w+)/i.exec(words)?.[1] ?? 'last';
      stage = new Stage(join(scratch, name));
      stages.set(name, stage);
    } else if (verb === 'COPY') stage.copy(words, stages);
    else if (verb === 'RUN') stage.run(words, instead);
    else stage.set(verb, words);
  }
  return stage;
}

/** Drops comments and joins continued lines. */
function stepsOf(text: string): Step[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => ({ verb: line.split(' ', 1)[0] ?? '', words: line.slice(line.indexOf(' ') + 1) }));
}

class Stage implements FollowedStage {
  readonly root: string;
  workdir = '/';
  env: Record<string, string> = {};
  user = 'root';
  command: readonly string[] = [];
  healthCheck: readonly string[] = [];

  constructor(root: string) {
    this.root = root;
  }

  set(verb: string, words: string): void {
    if (verb === 'WORKDIR') mkdirSync(join(this.root, (this.workdir = words)), { recursive: true });
    else if (verb === 'ENV')
      Object.assign(this.env, Object.fromEntries(words.split(' ').map((pair) => pair.split('='))));
    else if (verb === 'USER') this.user = words;
    else if (verb === 'CMD') this.command = JSON.parse(words);
    else if (verb === 'HEALTHCHECK') this.healthCheck = JSON.parse(words.slice(words.indexOf('CMD ') + 4));
    else if (!['VOLUME', 'EXPOSE', 'STOPSIGNAL'].includes(verb)) throw new Error(`Nobody follows ${verb} here.`);
  }

  copy(words: string, stages: ReadonlyMap<string, Stage>): void {
    const all = words.split(' ');
    const from = /^--from=(\w+)$/.exec(all[0] ?? '')?.[1];
    const sources = all.slice(from === undefined ? 0 : 1, -1);
    const to = join(this.root, this.workdir, all.at(-1) ?? '');
    for (const source of sources) {
      if (from !== undefined)
        cpSync(join(stages.get(from)?.root ?? '', source), to, { recursive: true, verbatimSymlinks: true });
      else if (source === '.') copyContext(to);
      else cpSync(source, join(to, basename(source)));
    }
  }

  run(words: string, instead: Instead): void {
    const folder = join(this.root, this.workdir);
    for (const command of words.split(' && ')) if (!instead(command, folder)) runIn(folder, command, this.env);
  }
}

/** Copies the project without the paths in .dockerignore. */
function copyContext(to: string): void {
  const lines = readFileSync('.dockerignore', 'utf8').split('\n');
  const patterns = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`));
  const isTaken = (path: string) => !patterns.some((pattern) => pattern.test(path));
  for (const name of readdirSync('.').filter(isTaken)) {
    cpSync(name, join(to, name), { recursive: true, filter: isTaken });
  }
}

/** The environment of an image: without a test runner's variables, and on this project's Node. */
export function imageEnvironment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { VITEST: _, VITEST_WORKER_ID: __, NODE_ENV: ___, ...plain } = process.env;
  return { ...plain, ...env };
}

function runIn(folder: string, command: string, env: Readonly<Record<string, string>>): void {
  const done = spawnSync('sh', ['-c', command], { cwd: folder, env: imageEnvironment(env), encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${command}\n${done.stdout}${done.stderr}`);
}
