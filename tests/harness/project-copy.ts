import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const FOLDERS = ['src', 'sw', 'server', 'tests', 'public'];

/** A copy of the project, with the same packages, that a test may modify. */
export class ProjectCopy {
  readonly root = mkdtempSync(join(tmpdir(), 'voltdesk-copy-'));

  constructor() {
    for (const name of readdirSync('.')) {
      if (FOLDERS.includes(name) || /\.(json|html|ts)$/.test(name))
        cpSync(name, join(this.root, name), { recursive: true });
    }
    symlinkSync(resolve('node_modules'), join(this.root, 'node_modules'));
    // The packages are shared, the compiler's build info is not.
    for (const name of readdirSync(this.root).filter((one) => one.startsWith('tsconfig.')))
      this.change(name, (text) => text.replaceAll('./node_modules/.cache/types', './.types'));
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.root, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  change(path: string, edit: (text: string) => string): void {
    this.write(path, edit(this.read(path)));
  }

  /** Runs one of the project's tools in the copy. Returns its exit code and all its output. */
  run(tool: string, ...args: readonly string[]): { readonly code: number | null; readonly output: string } {
    const { VITEST: _, VITEST_WORKER_ID: __, NODE_ENV: ___, ...env } = process.env;
    const done = spawnSync(join(this.root, 'node_modules/.bin', tool), args, {
      cwd: this.root,
      env,
      encoding: 'utf8',
    });
    return { code: done.status, output: `${done.stdout}${done.stderr}` };
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

/** Adds an eleventh resource: a definition, a migration, and a line. */
export function addBatteries(copy: ProjectCopy): void {
  copy.write('src/domain/resources/batteries.ts', DEFINITION);
  copy.write('server/migrations/099-batteries.ts', MIGRATION);
  copy.change('src/domain/resources/kinds.ts', (text) => `${text}export { batteries } from './batteries.ts';\n`);
}

const DEFINITION = `import type { Resource } from '../resource.ts';
import { catalog, image, images, text } from './common.ts';

export const batteries: Resource<'batteries'> = {
  name: 'batteries',
  path: 'battery',
  place: 11,
  label: { one: 'Battery', many: 'Batteries', list: 'All Batteries', deleteAs: 'battery', message: 'Battery', noun: { one: 'battery', many: 'batteries' } },
  endpoints: {
    create: '/api/create-battery',
    list: '/api/get-batteries',
    single: '/api/get-single-battery',
    delete: '/api/delete-battery',
  },
  paged: false,
  fields: [
    text('brand', 'Brand'),
    { kind: 'integer', name: 'cycles', label: 'Cycles', required: true, step: 1 },
    { kind: 'choice', name: 'chemistry', label: 'Chemistry', required: true, options: ['LiFePO4', 'Lead acid'] },
    { kind: 'longText', name: 'notes', label: 'Notes', required: false, maxLength: 10_000, rows: 6 },
    catalog,
    { ...image, label: 'Cover' },
    images,
  ],
  columns: [
    { kind: 'text', field: 'brand', label: 'Brand' },
    { kind: 'image', field: 'image', label: 'Cover', width: 100 },
  ],
  facts: ['cycles'],
  facets: ['chemistry'],
  title: ['brand'],
  afterCreate: 'list',
};
`;

const MIGRATION = `import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`CREATE TABLE batteries (id INTEGER PRIMARY KEY AUTOINCREMENT, version TEXT NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, brand TEXT, cycles INTEGER, chemistry TEXT, notes TEXT,
    catalog TEXT REFERENCES files (name), image TEXT REFERENCES files (name)) STRICT\`.execute(db);
}
`;
