import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { type ManifestOptions, VitePWA, type VitePWAOptions } from 'vite-plugin-pwa';
import type { Field } from './src/domain/fields.ts';
import type { Column, Resource } from './src/domain/resource.ts';
import * as kinds from './src/domain/resources/kinds.ts';
import { siteMeta } from './src/domain/resources/site-meta.ts';
import { SHARE_FIELD, SHARE_PATH } from './src/domain/share.ts';

/** The server's address in development. */
const SERVER = `http://localhost:${process.env['PORT'] ?? 3000}`;

const manifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Voltdesk',
  short_name: 'Voltdesk',
  description: 'The back office that keeps working without a connection.',
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: '#0f4c5c',
  background_color: '#f6f8f9',
  categories: ['business', 'productivity'],
  // Photos shared from the device's gallery start a new record (sw/share.ts receives them).
  share_target: {
    action: SHARE_PATH,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: SHARE_FIELD, accept: ['image/jpeg', 'image/png', 'image/webp', 'image/heic'] }] },
  },
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icons/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
};

const EARLY = 'src/early.ts';

/** Adds the early start to the page as a separate async script, which runs as soon as it has loaded. */
function earlyStart(): Plugin {
  return {
    name: 'early-start',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
        const early = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(EARLY));
        const preloads = (early?.imports ?? []).map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head-prepend' as const,
        }));
        const src = `/${early?.fileName ?? EARLY}`;
        const script = { tag: 'script', attrs: { type: 'module', crossorigin: true, async: true, src } };
        return [{ ...script, injectTo: 'head-prepend' as const }, ...preloads];
      },
    },
  };
}

/**
 * Removes unused parts of the router. Its components are created by calls and named by assignments, which a bundler must
 * keep. Marked as free of side effects, the calls are dropped; the assignments are deleted.
 */
function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    transform: {
      filter: { id: /react-router\/dist/ },
      handler: (code) => ({
        code: code
          .replace(/= (React\d*\.(?:forwardRef|createContext))\(/g, '= /* @__PURE__ */ $1(')
          .replace(/^\w+\.displayName = .*$/gm, ''),
        map: null,
      }),
    },
  };
}

/** The parts of Dexie that this app does without: it keeps no query results in memory, and has no hooks on writes. */
const UNUSED_IN_DEXIE = ['cacheMiddleware', 'hooksMiddleware'];

/** Leaves out parts of Dexie, which installs them in each database and so keeps a bundler from it. Fails if it names them otherwise. */
function leanDexie(): Plugin {
  return {
    name: 'lean-dexie',
    apply: 'build',
    transform: {
      filter: { id: /dexie\/dist\/modern\/dexie\.mjs/ },
      handler(code) {
        const lean = UNUSED_IN_DEXIE.reduce((text, part) => text.replace(`this.use(${part});`, ''), code);
        const left = UNUSED_IN_DEXIE.filter((part) => lean.split(part).length !== 2);
        if (left.length > 0) this.error(`Dexie uses ${left.join(' and ')} elsewhere.`);
        return { code: lean, map: null };
      },
    },
  };
}

/**
 * Few chunks, because each costs a round trip on a slow link: the early start, the libraries and the app's own code for the
 * first paint, and the list. Everything else is split automatically and loaded on demand.
 */
const CHUNKS = [
  {
    name: 'start',
    test: /preload-helper|src\/(early|api\/early|domain\/(resource|fields|limits|site-meta))/,
    priority: 3,
  },
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 2 },
  { name: 'app', tags: ['$initial' as const], priority: 1 },
  { name: 'list', test: /src\/resource\/list-screen/ },
  // merged, because each is only a few hundred bytes and the worker lists every file
  {
    name: 'icons',
    test: /icons-material\/(SearchOff|(AddPhotoAlternate|Error|ExploreOff|FileDownload|History|Inbox|Key|Lock|Password|Public|QrCodeScanner|UploadFile)Outlined)\./,
  },
  {
    name: 'small',
    test: /src\/(api\/(arrived-creates|drafts|people|stock-server)|domain\/(draft-keys|outbox\/(base|delivery|watchdog)|protocol\/(people|request-limits|second-factor))|fields\/photos\/(emptied|fit|use-object-url)|language\/rich|offline\/storage\/file-caches|ui\/(initials|surface|use-first-focus|use-guarded-close|use-latest|use-open))\./,
  },
  {
    name: 'save',
    test: /src\/resource\/(form\/save|list\/(delete-records|save-cell|seen-of)|saved-words|tell-outcome)\./,
  },
];

/** Emotion imports it for a function that this app does not call. */
const UNUSED = [{ test: /node_modules\/hoist-non-react-statics/, sideEffects: false }];

/** The names of the app's files, with a content hash. */
const NAMES = 'assets/[name]-[hash:7].js';

/** The screens a first visit may open. Their imports are preloaded with them. */
const FIRST = /(home|login)-screen|assets\/list-/;

/**
 * Limits what is preloaded with a lazy chunk to its styles. The names of all its imports would add 2 kB before the first
 * list, and the worker has cached these files before most are opened.
 */
function wanted(file: string, imports: string[], { hostType }: { hostType: 'html' | 'js' }): string[] {
  return hostType === 'html' || FIRST.test(file) ? imports : imports.filter((name) => name.endsWith('.css'));
}

/** Keeps the nested build of the worker quiet, and renames an output option to its Vite 8 name. */
function quietWorker(): Plugin {
  return {
    name: 'quiet-worker',
    config: ({ build }) => {
      const output = [build?.rollupOptions?.output ?? []].flat();
      for (const one of output) delete Object.assign(one, { codeSplitting: false }).inlineDynamicImports;
      return { logLevel: 'warn' };
    },
  };
}

type KeysOf<T> = T extends unknown ? keyof T : never;

/** What definitions say for screens and validation alone. The worker reads none of it, so its build leaves it out. */
const LEFT_OUT: readonly KeysOf<Resource | Column | Field>[] = [
  'label',
  'facts',
  'facets',
  'orderedBy',
  'afterCreate',
  'width',
  'required',
  'maxLength',
  'format',
  'step',
  'options',
  'lookup',
  'dependsOn',
  'accept',
];

/** Gives the worker the definitions, which are pure data, without what it does not read. The build fails if it does read it. */
function workerDefinitions(): Plugin {
  const lean = (definition: unknown) =>
    JSON.stringify(definition, (key, value: unknown) => (LEFT_OUT.some((name) => name === key) ? undefined : value));
  const written = (definitions: object) =>
    Object.entries(definitions).map(([name, definition]) => `export const ${name} = ${lean(definition)};`);
  return {
    name: 'worker-definitions',
    load: {
      filter: { id: /src\/domain\/resources\/(kinds|site-meta)\.ts$/ },
      handler: (id) => written(id.endsWith('site-meta.ts') ? { siteMeta } : kinds).join('\n'),
    },
    generateBundle(_options, bundle) {
      const names = LEFT_OUT.join('|');
      // `.name`, or `{ name: local }` to take it apart
      const reads = new RegExp(`\\.(?:${names})\\b|[{,](?:${names}):\\w+[,=}]`, 'g');
      for (const file of Object.values(bundle)) {
        const found = file.type === 'chunk' && file.code.match(reads);
        if (found) this.error(`The worker reads what its definitions lack: ${found.join(' ')}`);
      }
    },
  };
}

/**
 * Moves the files whose name has a hash out of the worker to a list of their own, `assets/files-‹hash›.json`: only an installation
 * reads it, and the browser evaluates the worker far more often.
 */
function fileList() {
  let outDir = '';
  const plugin: Plugin = {
    name: 'file-list',
    configResolved: ({ build }) => {
      outDir = build.outDir;
    },
  };
  const transform: NonNullable<VitePWAOptions['injectManifest']['manifestTransforms']>[number] = (files) => {
    const listed = JSON.stringify(files.filter(({ revision }) => !revision).map(({ url }) => url));
    const url = `assets/files-${createHash('sha256').update(listed).digest('base64url').slice(0, 7)}.json`;
    writeFileSync(join(outDir, url), listed);
    const list = { url, size: listed.length } as (typeof files)[number];
    return { manifest: [list, ...files.filter(({ revision }) => revision)], warnings: [] };
  };
  return { plugin, transform };
}

const hashedFiles = fileList();

export default defineConfig({
  // Dexie's default build targets browsers without classes. The modern build is smaller.
  resolve: { alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }] },
  plugins: [
    react(),
    leanRouter(),
    leanDexie(),
    hashedFiles.plugin,
    earlyStart(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'service-worker.ts',
      injectRegister: false,
      registerType: 'prompt',
      manifest,
      // the browser loads the home screen icons at install; the app itself shows none of them
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,woff2}', 'icons/icon.svg'],
        manifestTransforms: [hashedFiles.transform],
        buildPlugins: { vite: [quietWorker(), leanDexie(), workerDefinitions()] },
      },
      devOptions: { enabled: true, type: 'module', navigateFallback: 'index.html' },
    }),
  ],
  build: {
    target: 'es2022',
    sourcemap: true,
    // without the polyfill, Safari before 17 only fetches code a little later
    modulePreload: { polyfill: false, resolveDependencies: wanted },
    rolldownOptions: {
      treeshake: { moduleSideEffects: UNUSED },
      input: ['index.html', EARLY],
      output: {
        codeSplitting: { groups: CHUNKS },
        // the worker lists each name: one letter less saves 0.15 kB there
        entryFileNames: NAMES,
        chunkFileNames: NAMES,
        assetFileNames: NAMES.replace(/js$/, '[ext]'),
      },
    },
  },
  server: {
    proxy: { '/api': SERVER, '/uploads': SERVER, '/settings.json': SERVER },
  },
});
