import type { OxlintConfig } from 'oxlint';

/**
 * The layers, and which others each may import. A layer that is not listed may not be imported. Every folder of src/ is a
 * layer (checked by tests/tooling/boundaries.long.test.ts).
 */
export const LAYERS: Record<string, readonly string[]> = {
  'src/domain': [],
  'src/offline': ['src/domain'],
  'src/language': [],
  'src/stores': ['src/domain', 'src/offline', 'src/language'],
  'src/api': ['src/domain', 'src/offline', 'src/language', 'src/stores'],
  'src/ui': ['src/domain', 'src/language'],
  'src/fields': ['src/domain', 'src/language', 'src/ui'],
  'src/resource': ['src/domain', 'src/offline', 'src/language', 'src/api', 'src/stores', 'src/ui', 'src/fields'],
  'src/features': [
    'src/domain',
    'src/offline',
    'src/language',
    'src/api',
    'src/stores',
    'src/ui',
    'src/fields',
    'src/resource',
  ],
  'src/app': [
    'src/domain',
    'src/offline',
    'src/language',
    'src/api',
    'src/stores',
    'src/ui',
    'src/fields',
    'src/resource',
    'src/features',
  ],
  sw: ['src/domain', 'src/offline'],
  server: ['src/domain'],
};

/** The modules inside src/offline, and which others each may import. Only the files that load whole modules are above them. */
export const OFFLINE_MODULES: Record<string, readonly string[]> = {
  storage: [],
  outbox: ['storage'],
  sender: ['storage', 'outbox'],
  cache: ['storage'],
  drafts: ['storage'],
  kept: ['storage', 'outbox'],
};

/**
 * Files that may import a server store directly: those that assemble the server, and the commands for a database beside it.
 * All others import `server/stores/store.ts`, which does not mention SQLite.
 */
const STORE_INSIDERS: readonly string[] = [
  'server/app.ts',
  'server/gateway.ts',
  'server/start.ts',
  'server/database.ts',
  'server/accounts/first-administrator.ts',
  'server/cli',
  'server/sample-data',
  'server/commands',
];

/** Owners of external modules. Only these layers or files import them; everything else goes through the owners. */
const OWNERS: readonly { module: string; only: readonly string[]; allowTypeImports?: boolean }[] = [
  { module: 'axios', only: ['src/api/client.ts'] },
  { module: 'notistack', only: ['src/app/notify*.{ts,tsx}'] },
  { module: 'workbox-window', only: ['src/api', 'src/app'] },
  {
    module: 'dexie',
    only: ['src/offline/storage/*-database.ts', 'src/offline/storage/transactions.ts', 'src/api/live.ts'],
    allowTypeImports: true,
  },
  { module: 'zustand', only: ['src/stores'] },
  {
    module: 'react-dom|react-router-dom|@mui/[^/]+|@emotion/[^/]+|@dnd-kit/[^/]+|@tanstack/react-virtual',
    only: ['src/ui', 'src/fields', 'src/resource', 'src/features', 'src/app'],
  },
  {
    module: 'react',
    only: ['src/language', 'src/ui', 'src/fields', 'src/stores', 'src/api', 'src/resource', 'src/features', 'src/app'],
  },
  {
    module: 'kysely',
    only: ['server/stores', 'server/migrations', 'server/sample-data', 'server/commands', 'server/**/*sqlite*.ts'],
  },
  { module: 'node:sqlite', only: ['server/**/*sqlite*.ts'] },
  { module: 'node:.*|fastify|@fastify/.*|@aws-sdk/.*|sharp|file-type', only: ['server'] },
];

interface Pattern {
  regex: string;
  message: string;
  allowTypeImports?: boolean;
  importNames?: string[];
}

/** Specifiers that lead from `layer` into one it may not import. Every import is relative, so the specifier is enough. */
function foreignLayers(layer: string): Pattern[] {
  const allowed = LAYERS[layer] ?? [];
  const foreign = [...Object.keys(LAYERS), 'tests'].filter((other) => other !== layer && !allowed.includes(other));
  const withinSrc = layer.startsWith('src/');
  const names = foreign.map((other) => (withinSrc ? other.replace('src/', '(src/)?') : other));
  const allowedText = allowed.length > 0 ? allowed.join(', ') : 'nothing else';
  return [
    { regex: `^(\\.\\./)+(${names.join('|')})(/|$)`, message: `${layer} may import ${allowedText}.` },
    { regex: `^(\\.\\./)+(src/)?main\\.tsx$`, message: 'src/main.tsx is where everything begins.' },
  ];
}

/** Packages that `place` (a layer, or a file listed in OWNERS) does not own. */
function foreignPackages(layer: string, place: string): Pattern[] {
  if (layer === 'src/domain') return [{ regex: '^[^.]', message: 'src/domain is pure: it imports no package.' }];
  return OWNERS.filter(({ only }) => !only.includes(layer) && !only.includes(place)).map(
    ({ module, only, allowTypeImports = false }) => ({
      regex: `^(${module})(/|$)`,
      message: `Only ${only.join(', ')} may import it.`,
      allowTypeImports,
    }),
  );
}

/** Specifiers that lead from a module of src/offline into one it may not import. */
function foreignRooms(place: string): Pattern[] {
  const room = place.match(/^src\/offline\/([^/]+)/)?.[1];
  if (room === undefined) return [];
  const allowed = OFFLINE_MODULES[room] ?? [];
  const foreign = Object.keys(OFFLINE_MODULES).filter((other) => other !== room && !allowed.includes(other));
  const message = `src/offline/${room} may import ${allowed.join(', ') || 'no other module'}.`;
  return [{ regex: `^\\.\\./(${foreign.join('|')}|[^/]+\\.ts$)`, message }];
}

/** Specifiers that lead from outside into a server store. */
function foreignStores(layer: string, place: string): Pattern[] {
  if (layer !== 'server' || STORE_INSIDERS.includes(place)) return [];
  return [{ regex: '(^\\./|stores/)(sql|sqlite|postgres|remote)/', message: 'Ask the store: server/stores/store.ts.' }];
}

/** The router's own link also loads its prefetching code, before the first list. */
const OWN_LINK: Pattern = {
  regex: '^react-router-dom$',
  importNames: ['Link', 'NavLink'],
  message: 'Import it from src/ui/link.tsx.',
};

function boundaries(layer: string, place: string = layer) {
  const patterns = [
    OWN_LINK,
    ...foreignLayers(layer),
    ...foreignRooms(place),
    ...foreignStores(layer, place),
    ...foreignPackages(layer, place),
  ];
  const files = /\.[^/]+$/.test(place) ? [place] : [`${place}/**/*.{ts,tsx}`];
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } } satisfies OxlintOverride;
}

type OxlintOverride = NonNullable<OxlintConfig['overrides']>[number];

const layerOf = (file: string) => Object.keys(LAYERS).find((layer) => file.startsWith(`${layer}/`));
const ownedFiles = OWNERS.flatMap(({ only }) => only).filter((place) => !(place in LAYERS));

export default {
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['dist', 'builds', 'releases', 'coverage', 'test-results', 'data'],
  rules: {
    'import/no-cycle': 'error',
    'import/extensions': ['error', 'always', { ignorePackages: true }],
    eqeqeq: 'error',
    'no-console': ['error', { allow: ['warn', 'error'] }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/jsx-no-target-blank': 'error',
    // since React 17, JSX does not need React in scope
    'react/react-in-jsx-scope': 'off',
    'no-underscore-dangle': ['error', { allow: ['__WB_MANIFEST'] }],
    // meant for Express; Fastify awaits its handlers
    'oxc/no-async-endpoint-handlers': 'off',
    // a helper belongs next to its only use
    'unicorn/consistent-function-scoping': 'off',
    // style sheets and polyfills are imported for their side effects
    'import/no-unassigned-import': 'off',
  },
  overrides: [
    ...Object.keys(LAYERS).map((layer) => boundaries(layer)),
    ...Object.keys(OFFLINE_MODULES).map((room) => boundaries('src/offline', `src/offline/${room}`)),
    ...STORE_INSIDERS.map((place) => boundaries('server', place)),
    ...ownedFiles.flatMap((file) => boundaries(layerOf(file) ?? '', file)),
    { files: ['server/**', 'tests/**', 'examples/**'], rules: { 'no-console': 'off' } },
    // the benchmark page is built without the React compiler, like the app
    { files: ['tests/bench/**'], rules: { 'react/incompatible-library': 'off' } },
  ],
} satisfies OxlintConfig;
