import { gridTieInverters } from '../../../src/domain/resources/grid-tie-inverters.ts';
import { jpeg, pdf } from '../../harness/sample-files.ts';
import { seconds } from '../kit/arguments.ts';
import { type Answer, Client } from '../kit/client.ts';
import { atMost, type Figure } from '../kit/figure.ts';
import { startFilledServer } from '../kit/filled-server.ts';
import { inverterForm } from '../kit/forms.ts';
import { type SignedIn, signIn } from '../kit/sign-in.ts';
import { quantile } from '../kit/statistics.ts';

const CLIENTS = 50;
const SESSIONS = 10;
const ROWS = 1000;
/** One request in this many is a create with a photo and a catalogue of 200 kB. */
const CREATE_EVERY = 10;
const CATALOG_BYTES = 200_000;

interface Tally {
  readonly reads: number[];
  readonly creates: number[];
  errors: number;
}

type Act = (client: Client) => Promise<Answer>;

const READS: readonly Act[] = [
  (client) => client.get(gridTieInverters.endpoints.list, { 'accept-encoding': 'br' }),
  (client) => client.get(`${gridTieInverters.endpoints.single}/${1 + Math.floor(Math.random() * ROWS)}`),
  (client) => client.get('/api/site-meta'),
  (client) => client.get('/api/get-generators-series'),
  (client) => client.get('/api/user'),
];

async function creating(): Promise<Act> {
  const picture = await jpeg('photo.jpg', 7, 1280, 960);
  const document = pdf('catalog.pdf', 7, CATALOG_BYTES);
  const files = [
    { field: 'images[]', bytes: picture.buffer, type: picture.mimeType, name: picture.name },
    { field: 'catalog', bytes: document.buffer, type: document.mimeType, name: document.name },
  ];
  return (client) => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    return client.post(gridTieInverters.endpoints.create, inverterForm(files), key);
  };
}

async function timed(act: Act, client: Client, times: number[], tally: Tally): Promise<void> {
  const began = performance.now();
  const status = await act(client).then(
    (answer) => answer.status,
    () => 0,
  );
  times.push(performance.now() - began);
  if (status !== 200) tally.errors += 1;
}

/** Simulates one administrator without pauses. */
async function keepBusy(client: Client, create: Act, until: number, tally: Tally): Promise<void> {
  for (let count = Math.floor(Math.random() * CREATE_EVERY); performance.now() < until; count += 1) {
    const read = READS[count % READS.length];
    if (count % CREATE_EVERY === 0) await timed(create, client, tally.creates, tally);
    else if (read) await timed(read, client, tally.reads, tally);
  }
}

async function sessions(origin: string): Promise<readonly SignedIn[]> {
  const signedIn: SignedIn[] = [];
  for (let count = 0; count < SESSIONS; count += 1) signedIn.push(await signIn(origin));
  return signedIn;
}

function figuresOf({ reads, creates, errors }: Tally): readonly Figure[] {
  const both = [...reads, ...creates];
  const what = `${CLIENTS} clients for ${seconds} s`;
  return [
    { what: `${what}, answers`, unit: '/s', ours: [both.length / seconds] },
    { what: `${what}, median of reads`, unit: 'ms', ours: [quantile(reads, 0.5)] },
    { what: `${what}, 99th percentile of reads`, unit: 'ms', ours: [quantile(reads, 0.99)] },
    { what: `${what}, median of creates`, unit: 'ms', ours: [quantile(creates, 0.5)] },
    { what: `${what}, 99th percentile of creates`, unit: 'ms', ours: [quantile(creates, 0.99)] },
    { what: `${what}, errors`, unit: '×', ours: [errors], goal: atMost(0) },
  ];
}

/** Fifty concurrent administrators: lists, records, lookups, and creates with files. */
export const load = {
  name: 'load',
  async measure() {
    const server = await startFilledServer(ROWS);
    const signedIn = await sessions(server.origin);
    const create = await creating();
    const clients = Array.from(
      { length: CLIENTS },
      (_, index) => new Client(server.origin, signedIn[index % SESSIONS] as SignedIn),
    );
    const tally: Tally = { reads: [], creates: [], errors: 0 };
    const until = performance.now() + seconds * 1000;
    await Promise.all(clients.map((client) => keepBusy(client, create, until, tally)));
    for (const client of clients) client.close();
    await server.remove();
    return figuresOf(tally);
  },
};
