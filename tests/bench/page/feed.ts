import { feedAddress, type FeedPage } from '../../../src/domain/protocol/feed.ts';
import { gridTieInverters } from '../../../src/domain/resources/grid-tie-inverters.ts';
import { type Answer, Client } from '../kit/client.ts';
import { atMost, atMostTimes, type Figure } from '../kit/figure.ts';
import { startFilledServer } from '../kit/filled-server.ts';
import { inverterForm } from '../kit/forms.ts';
import type { Row } from '../kit/row.ts';
import { signIn } from '../kit/sign-in.ts';
import { gunzipSync } from 'node:zlib';

const ROWS = 10_000;
const CHANGED = 50;
const GZIP = { 'accept-encoding': 'gzip' };

/** The size of an answer on the wire in kilobytes, including its status line and headers. */
function weight({ status, headers, body }: Answer): number {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return (`HTTP/1.1 ${status} OK\r\n${lines.join('')}\r\n`.length + body.length) / 1000;
}

function pageIn({ headers, body }: Answer): FeedPage {
  return JSON.parse(String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)) as FeedPage;
}

/** Reads the feed to its end. Returns the last cursor. */
async function readOn(client: Client, since?: string): Promise<string> {
  const page = pageIn(await client.get(feedAddress(since), GZIP));
  return page.more ? readOn(client, page.cursor) : page.cursor;
}

async function measured(client: Client): Promise<readonly Figure[]> {
  const { list, single } = gridTieInverters.endpoints;
  const since = await readOn(client);
  const nothing = await client.get(feedAddress(since), GZIP);
  for (let changed = 1; changed <= CHANGED; changed += 1)
    await client.post(`${single}/${changed * Math.floor(ROWS / CHANGED)}`, inverterForm([]));
  const something = await client.get(feedAddress(since), GZIP);
  if (pageIn(something).more) throw new Error('What changed does not fit into one answer.');
  const whole = { name: 'the list', sample: [weight(await client.get(list, GZIP))] };
  return [
    {
      what: `up to date after ${CHANGED} of 10,000 rows changed`,
      unit: 'kB',
      ours: [weight(something)],
      against: whole,
      goal: atMostTimes(0.05),
    },
    {
      what: 'up to date where nothing changed, status line and headers too',
      unit: 'kB',
      ours: [weight(nothing)],
      against: whole,
      goal: atMost(0.5),
    },
  ];
}

/** Bytes to bring a device up to date, against the list it would read without a feed. */
export const feed: Row = {
  name: 'feed',
  async measure() {
    const server = await startFilledServer(ROWS);
    const client = new Client(server.origin, await signIn(server.origin));
    const figures = await measured(client);
    client.close();
    await server.remove();
    return figures;
  },
};
