// The minimum for opening a page offline: caches its files once and serves them from the cache.
self.addEventListener('install', (event) => event.waitUntil(keepFiles()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (!event.request.url.includes('/rows.json')) event.respondWith(answer(event.request));
});

async function keepFiles() {
  const kept = await caches.open('files');
  await kept.addAll(await (await fetch('/files.json')).json());
  await self.skipWaiting();
}

async function answer(request) {
  const address = request.mode === 'navigate' ? '/' : request.url;
  return (await caches.match(address)) ?? fetch(request);
}
