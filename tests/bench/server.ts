import { runRows } from './kit/run-rows.ts';
import { content } from './server/content.ts';
import { createWithPhotos } from './server/create.ts';
import { together } from './server/together.ts';
import { longList } from './server/list.ts';
import { live } from './server/live.ts';
import { load } from './server/load.ts';
import { pieces } from './server/pieces.ts';
import { postgres } from './server/postgres.ts';
import { resizing } from './server/thumbnails.ts';

/**
 * `npm run bench:server`: this repository's server against SQLite and sharp alone, and under fifty concurrent clients.
 * `npm run bench:server -- --only list` runs a part.
 */
await runRows([longList, content, createWithPhotos, pieces, together, resizing, load, live, postgres], (row) =>
  row.measure(),
);
