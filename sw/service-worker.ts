import { clientsClaim } from 'workbox-core';
import { keepImages } from './images.ts';
import { servePages } from './pages.ts';
import { sendOnMessage, sendOnSync } from './sending.ts';
import { takeShared } from './share.ts';
import { updateWhenAsked } from './updates.ts';

clientsClaim();
servePages();
takeShared();
keepImages();
sendOnMessage();
sendOnSync();
updateWhenAsked();
