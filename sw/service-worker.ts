import { browserEnvironment } from '../src/offline/storage/browser-environment.ts';
import { serveCatalogues } from './catalogues.ts';
import { keepImages } from './images.ts';
import { withPages } from './with-pages.ts';
import { servePages } from './pages.ts';
import { keepTools } from './tools.ts';
import type { WorkerScope } from './scope.ts';
import { sendOnMessage, sendOnSync } from './sending.ts';
import { takeShared } from './share.ts';
import { claimPages, updateWhenAsked } from './updates.ts';

declare const self: WorkerScope;

const environment = withPages(self, browserEnvironment());

claimPages(self);
servePages(self);
takeShared(self);
keepImages(self, environment);
serveCatalogues(self, environment);
keepTools(self, environment);
sendOnMessage(self, environment);
sendOnSync(self, environment);
updateWhenAsked(self, environment);
