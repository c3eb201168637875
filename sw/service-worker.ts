import { clientsClaim } from 'workbox-core';
import { keepImages } from './images.ts';
import { servePages } from './pages.ts';
import { sendOnMessage, sendOnSync } from './sending.ts';
import { updateWhenAsked } from './updates.ts';

clientsClaim();
servePages();
keepImages();
sendOnMessage();
sendOnSync();
updateWhenAsked();
