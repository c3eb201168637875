import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LAYERS, OFFLINE_MODULES } from '../../oxlint.config.ts';

/** Files with one import each, by whether the architecture allows it. */
const FORBIDDEN: [file: string, specifier: string][] = [
  ['src/domain/bad.ts', '../offline/store.ts'],
  ['src/domain/outbox/bad.ts', '../../api/client.ts'],
  ['src/domain/bad-package.ts', 'react'],
  ['src/domain/bad-node.ts', 'node:fs'],
  ['src/offline/bad.ts', '../api/client.ts'],
  ['src/offline/bad-react.ts', 'react'],
  ['src/offline/sender/drain.ts', 'dexie'],
  ['src/offline/sender/bad.ts', '../drafts/drafts.ts'],
  ['src/offline/storage/bad.ts', '../outbox/enqueue.ts'],
  ['src/offline/storage/bad-database.ts', '../cache/cache.ts'],
  ['src/offline/outbox/bad.ts', '../sender/drain.ts'],
  ['src/offline/cache/bad.ts', '../outbox/enqueue.ts'],
  ['src/offline/drafts/bad.ts', '../device.ts'],
  ['src/api/bad.ts', '../resource/list.tsx'],
  ['src/api/bad-axios.ts', 'axios'],
  ['src/api/client.ts', 'notistack'],
  ['src/fields/bad.tsx', '../resource/form.tsx'],
  ['src/fields/bad-toast.tsx', 'notistack'],
  ['src/ui/bad.tsx', '../fields/text-input.tsx'],
  ['src/ui/bad-store.tsx', '../stores/session.ts'],
  ['src/api/bad-screen.ts', '../ui/surface.tsx'],
  ['src/stores/bad.ts', '../features/auth/login.tsx'],
  ['src/stores/bad-worker.ts', 'workbox-window'],
  ['src/resource/bad.tsx', '../features/home.tsx'],
  ['src/resource/form/bad.tsx', '../../app/routes.tsx'],
  ['src/features/bad.tsx', '../app/routes.tsx'],
  ['src/features/auth/bad.tsx', '../../../server/start.ts'],
  ['src/features/bad-node.tsx', 'node:fs'],
  ['src/app/bad.tsx', '../main.tsx'],
  ['src/app/bad-toast.tsx', 'notistack'],
  ['src/app/bad-test.tsx', '../../tests/harness/world.ts'],
  ['sw/bad.ts', '../src/api/client.ts'],
  ['sw/bad-axios.ts', 'axios'],
  ['server/bad.ts', '../src/offline/store.ts'],
  ['server/protocol/bad.ts', '../../src/app/routes.tsx'],
  ['server/protocol/bad-sw.ts', '../../sw/service-worker.ts'],
  ['server/protocol/records.ts', 'node:sqlite'],
  ['server/protocol/bad-store.ts', '../stores/sql/tables.ts'],
  ['server/ops/bad.ts', '../stores/remote/journal.ts'],
  ['server/services.ts', './stores/sqlite/open.ts'],
  ['server/stores/store.ts', './sqlite/tables.ts'],
  ['server/uploads/bad.ts', 'kysely'],
];

const ALLOWED: [file: string, specifier: string][] = [
  ['src/domain/outbox/good.ts', '../fields.ts'],
  ['src/offline/good.ts', '../domain/fields.ts'],
  ['src/offline/outbox/good.ts', '../storage/files.ts'],
  ['src/offline/sender/good.ts', '../outbox/confirm.ts'],
  ['src/offline/sender/good-domain.ts', '../../domain/fields.ts'],
  ['src/offline/storage/outbox-database.ts', 'dexie'],
  ['src/api/client.ts', 'axios'],
  ['src/api/bridge.ts', 'workbox-window'],
  ['src/fields/good.tsx', '../ui/surface.tsx'],
  ['src/resource/good.tsx', '../fields/input.tsx'],
  ['src/features/auth/good.tsx', '../../stores/session.ts'],
  ['src/app/good.tsx', '../features/home.tsx'],
  ['src/app/notify.tsx', 'notistack'],
  ['src/main.tsx', './app/app.tsx'],
  ['sw/good.ts', '../src/offline/drain.ts'],
  ['server/protocol/good.ts', '../../src/domain/fields.ts'],
  ['server/stores/sqlite/sqlite.ts', 'node:sqlite'],
  ['server/stores/sqlite/sqlite-dialect.ts', 'kysely'],
  ['server/stores/sqlite/good.ts', 'kysely'],
  ['server/stores/remote/journal.ts', '../sqlite/sqlite.ts'],
  ['server/app.ts', './stores/sqlite/store.ts'],
  ['server/commands/good.ts', '../stores/sql/tables.ts'],
  ['tests/offline/good.ts', '../../src/offline/drain.ts'],
];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boundaries-'));
  cpSync(resolve('oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** The rules each file breaks, by file. */
function lint(): Map<string, string[]> {
  const run = spawnSync('oxlint', ['--format=json'], { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: { code: string; filename: string }[] };
  const broken = Map.groupBy(diagnostics, ({ filename }) => filename);
  return new Map([...broken].map(([file, found]) => [file, found.map(({ code }) => code)]));
}

describe('the boundaries between the layers', () => {
  it('cover every folder of src', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => `src/${name}`).filter((layer) => !(layer in LAYERS))).toEqual([]);
  });

  it('cover every folder of src/offline', () => {
    const rooms = readdirSync('src/offline', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(rooms.map(({ name }) => name).toSorted()).toEqual(Object.keys(OFFLINE_MODULES).toSorted());
  });

  it('refuse every import that the architecture forbids', () => {
    for (const [file, specifier] of FORBIDDEN) write(file, `export * from '${specifier}';\n`);
    expect(lint()).toEqual(new Map(FORBIDDEN.map(([file]) => [file, ['eslint(no-restricted-imports)']])));
  });

  it('allow every import that the architecture allows', () => {
    for (const [file, specifier] of ALLOWED) write(file, `export * from '${specifier}';\n`);
    expect(lint()).toEqual(new Map());
  });

  it('allow importing a type of Dexie anywhere in offline', () => {
    write('src/offline/types.ts', `export type { Table } from 'dexie';\n`);
    expect(lint()).toEqual(new Map());
  });

  it('refuse an import without its extension', () => {
    write('src/domain/bad.ts', `export * from './fields';\n`);
    expect(lint().get('src/domain/bad.ts')).toEqual(['import(extensions)']);
  });

  it('refuse a lazy import too', () => {
    write('src/resource/bad.ts', `export const load = () => import('../app/routes.tsx');\n`);
    expect(lint().get('src/resource/bad.ts')).toEqual(['eslint(no-restricted-imports)']);
  });

  it('refuse circular imports', () => {
    write('src/stores/a.ts', `import { b } from './b.ts';\nexport const a = () => b;\n`);
    write('src/stores/b.ts', `import { a } from './a.ts';\nexport const b = () => a;\n`);
    expect(lint().get('src/stores/a.ts')).toEqual(['import(no-cycle)']);
  });
});
