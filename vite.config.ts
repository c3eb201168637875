import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
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
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icons/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
};

export default defineConfig({
  plugins: [
    react(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'service-worker.ts',
      injectRegister: false,
      registerType: 'prompt',
      manifest,
      injectManifest: { globPatterns: ['**/*.{js,css,html,svg,png,woff2}'] },
      devOptions: { enabled: true, type: 'module', navigateFallback: 'index.html' },
    }),
  ],
  build: { target: 'es2022', sourcemap: true },
  server: {
    proxy: { '/api': SERVER, '/uploads': SERVER, '/settings.json': SERVER },
  },
});
