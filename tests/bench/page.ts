import { bareSubject } from './kit/bare-subject.ts';
import { ourSubject } from './kit/our-subject.ts';
import { runRows } from './kit/run-rows.ts';
import { setStage } from './kit/stage.ts';
import { badLink, badLinkGateway, farAway } from './page/bad-link.ts';
import { draining } from './page/draining.ts';
import { feed } from './page/feed.ts';
import { firstVisit } from './page/first-visit.ts';
import { gateway } from './page/gateway.ts';
import { interactions } from './page/interactions.ts';
import { javascript } from './page/javascript.ts';
import { kills } from './page/kills.ts';
import { lighthouseScores } from './page/lighthouse.ts';
import { longList } from './page/long-list.ts';
import { rebuiltSite } from './page/rebuilt-site.ts';
import { repeatVisit } from './page/repeat-visit.ts';
import { scrolling } from './page/scrolling.ts';
import { storage } from './page/storage.ts';
import { thumbnails } from './page/thumbnails.ts';
import { workerKills } from './page/worker-kills.ts';

/**
 * `npm run bench`: the built app against a bare page with the same list, in a browser on a slow processor and a slow link.
 * `npm run bench -- --only scrolling,storage` runs a part.
 */
const ROWS = [
  javascript,
  firstVisit,
  repeatVisit,
  longList,
  interactions,
  scrolling,
  storage,
  draining,
  farAway,
  badLink,
  badLinkGateway,
  kills,
  workerKills,
  gateway,
  thumbnails,
  feed,
  rebuiltSite,
  lighthouseScores,
];

const stage = setStage({
  ours: ourSubject(),
  illustrated: ourSubject({ illustrated: true }),
  bare: await bareSubject(),
});
await runRows(ROWS, (row) => row.measure(stage));
await stage.close();
