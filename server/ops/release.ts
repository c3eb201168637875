import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { programVersion } from './version.ts';

/** The parts of the project in a release: the server, the code it shares with the app, and the operator's documents. */
const PARTS = ['server', 'src/domain', 'docs', '.npmrc', 'README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'];

/** CycloneDX, as JSON. */
const BILL_OF_MATERIALS = 'sbom.cdx.json';

interface Package {
  readonly devDependencies?: object;
  readonly dev?: boolean;
}

/**
 * Writes a release to a new or empty folder. It runs after `npm ci --omit=dev`, without a build. It contains the app as
 * currently built in `appDir`. Returns the folder.
 */
export function stageRelease(appDir: string, folder: string): string {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  if (!existsSync(join(appDir, 'index.html'))) throw new Error(`There is no built app in ${appDir}.`);
  mkdirSync(folder, { recursive: true });
  for (const part of PARTS) cpSync(part, join(folder, part), { recursive: true });
  cpSync(realpathSync(appDir), join(folder, 'dist'), { recursive: true });
  writeJson(join(folder, 'package.json'), withoutTools(readJson('package.json')));
  const lock = readJson('package-lock.json') as { packages: Record<string, Package> };
  const packages = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true);
  const installed = packages.map(([path, one]) => [path, path === '' ? withoutTools(one) : one]);
  writeJson(join(folder, 'package-lock.json'), { ...lock, packages: Object.fromEntries(installed) });
  // made in the release folder: with dev tools in the lock file, npm leaves out what they share with the server
  writeFileSync(join(folder, BILL_OF_MATERIALS), run('npm', ['sbom', ...SBOM_OPTIONS], folder));
  return folder;
}

const SBOM_OPTIONS = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];

/** Packs a release, `voltdesk-VERSION.tgz`, into a folder. Returns the archive's path. */
export function packRelease(appDir: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const name = `voltdesk-${programVersion()}`;
  const staging = mkdtempSync(join(folder, '.staging-'));
  try {
    stageRelease(appDir, join(staging, name));
    const archive = join(folder, `${name}.tgz`);
    run('tar', ['-czf', archive, '-C', staging, name], folder);
    return archive;
  } finally {
    rmSync(staging, { recursive: true });
  }
}

/** Returns a package without its dev dependencies. */
function withoutTools(all: Package): object {
  const { devDependencies: _, ...rest } = all;
  return rest;
}

function readJson(path: string): object {
  return JSON.parse(readFileSync(path, 'utf8')) as object;
}

function writeJson(path: string, content: object): void {
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}

const MOST_OUTPUT = 64 * 1024 * 1024;

function run(command: string, words: readonly string[], cwd: string): string {
  const options = { cwd, encoding: 'utf8', shell: process.platform === 'win32', maxBuffer: MOST_OUTPUT } as const;
  const { status, stdout, stderr, error } = spawnSync(command, words, options);
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
  return stdout;
}
