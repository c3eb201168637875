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

/** What a release holds of the project: the server as it runs, what it shares with the app, and what an operator reads. */
const PARTS = ['server', 'src/domain', 'docs', '.npmrc', 'README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'];

/** CycloneDX, as JSON. */
const BILL_OF_MATERIALS = 'sbom.cdx.json';

interface Package {
  readonly devDependencies?: object;
  readonly dev?: boolean;
}

/**
 * Puts a release into a folder that is new or empty: after `npm ci --omit=dev` it runs, and builds nothing. The app is the one
 * that is built now, in `appDir`. Answers the folder.
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
  // made there: with tools in the lock, npm leaves out what they share with the server
  writeFileSync(join(folder, BILL_OF_MATERIALS), run('npm', ['sbom', ...SBOM_OPTIONS], folder));
  return folder;
}

const SBOM_OPTIONS = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];

/** Packs a release, `voltdesk-VERSION.tgz`, into that folder. Answers the archive's path. */
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

/** A package without what it is built and tested with. */
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
