import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { type ManifestOptions, VitePWA } from 'vite-plugin-pwa';

/** Where the server listens in development. */
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
  // Photos shared from the device's gallery begin a new record (sw/share.ts takes them in).
  share_target: {
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: 'photos', accept: ['image/jpeg', 'image/png', 'image/webp', 'image/heic'] }] },
  },
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icons/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
};

const EARLY = 'src/early.ts';

/** Puts the early start into the page: a script of its own, which runs as soon as it is there. */
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
 * Lets go of what the router has and this app does not use. Its components are made by calls, and named by assignments, which a
 * bundler has to keep: said to be free of effects, they go.
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

/**
 * Few files, since each costs a slow link a round trip: what the early start needs, the libraries and the app's own code of
 * the first paint, the list. Everything else is split by itself, as it is asked for.
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
  // a few hundred bytes each, and the worker names every file
  {
    name: 'icons',
    test: /icons-material\/(SearchOff|PasswordOutlined|LockOutlined|KeyOutlined|FileDownloadOutlined)\./,
  },
];

/** Emotion brings it for a function that nobody here calls. */
const UNUSED = [{ test: /node_modules\/hoist-non-react-statics/, sideEffects: false }];

/** How the app's files are called, by their content. */
const NAMES = 'assets/[name]-[hash:7].js';

/** The screens that a first visit opens with: what they import is asked for together with them. */
const FIRST = /(home|login)-screen|assets\/list-/;

/**
 * What is fetched beside a part that is loaded later: its styles. The names of all that it imports would weigh 2 kB before the first
 * list, and the worker has these files on the device before most are opened.
 */
function wanted(file: string, imports: string[], { hostType }: { hostType: 'html' | 'js' }): string[] {
  return hostType === 'html' || FIRST.test(file) ? imports : imports.filter((name) => name.endsWith('.css'));
}

/** The worker is a build within the build, which tells as little, and has the name that Vite 8 gives an option. */
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

export default defineConfig({
  // Dexie's default build is for browsers that know no classes. The modern one is smaller.
  resolve: { alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }] },
  plugins: [
    react(),
    leanRouter(),
    earlyStart(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'service-worker.ts',
      injectRegister: false,
      registerType: 'prompt',
      manifest,
      // the icons of the home screen are the browser's business at install: the app itself shows none of them
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,woff2}', 'icons/icon.svg'],
        buildPlugins: { vite: [quietWorker()] },
      },
      devOptions: { enabled: true, type: 'module', navigateFallback: 'index.html' },
    }),
  ],
  build: {
    target: 'es2022',
    sourcemap: true,
    modulePreload: { resolveDependencies: wanted },
    rolldownOptions: {
      treeshake: { moduleSideEffects: UNUSED },
      input: ['index.html', EARLY],
      output: {
        codeSplitting: { groups: CHUNKS },
        // each name is in the worker too: a letter fewer is 0.15 kB there
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
