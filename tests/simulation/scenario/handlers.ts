import { asVersion3 } from '../../domain/outbox/old-shapes.ts';
import { ENTRY_SCHEMA, type OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { StoredFile } from '../../../src/offline/storage/outbox-database.ts';
import type { Random } from '../world/random.ts';
import { NEWER, pauseOf, type Scenario, wipeIsNoticed } from './scenario.ts';
import type { EventName } from './schedule.ts';
import { sampleFor, SETTINGS_EDITED } from './subjects.ts';
import type { Context } from '../world/device.ts';
import { OUTBOX } from '../world/environment.ts';

const TWO_DAYS = 48 * 60 * 60_000;

type Handler = (scenario: Scenario, random: Random) => void | Promise<void>;

/** Executes an event. */
export async function handle(what: EventName, scenario: Scenario, random: Random): Promise<void> {
  await HANDLERS[what](scenario, random);
}

const HANDLERS: { readonly [K in EventName]: Handler } = {
  create: ({ administrator }, random) => administrator.editor.create(random),
  'create with many files': ({ administrator }, random) => administrator.editor.create(random, true),
  update: ({ administrator }, random) => administrator.editor.update(random),
  delete: ({ administrator }, random) => administrator.editor.delete(random),
  'delete image': ({ administrator }, random) => administrator.editor.deleteImage(random),
  'save settings': ({ administrator }, random) => administrator.editor.saveSettings(random),
  undo: ({ administrator }) => administrator.outboxScreen.undo(),
  'send now': ({ administrator }) => administrator.outboxScreen.sendNow(),
  attend: attend,
  look: ({ administrator }) => administrator.editor.look(),
  'kill worker': (scenario, random) => killSoon(scenario, random, () => scenario.world.device.worker),
  'kill page': (scenario, random) => killSoon(scenario, random, () => scenario.world.device.pages.at(-1)),
  'kill browser': killBrowser,
  'open page': ({ world: { device } }) => {
    if (device.pages.length < 2) device.openPage();
  },
  'worker exchanged': ({ world: { device } }) => device.exchangeWorker(),
  'newer app was here': newerApp,
  sync: ({ world: { device } }) => device.sync(),
  'server restarted': ({ world }, random) => world.restartServer(random.between(1_000, 30_000)),
  'put away': ({ world: { device } }) => {
    for (const page of device.pages) device.look(page, true);
  },
  'looked at again': ({ world: { device } }) => {
    for (const page of device.pages) device.look(page, false);
  },
  'wake together': ({ world: { device } }) => device.wakeAll(),
  'queue carried off': async ({ administrator }) => {
    await administrator.carrier.carryOff();
  },
  'queue taken in': ({ administrator }) => administrator.carrier.takeIn(),
  'moved by a file': moveByFile,
  'frozen for a while': ({ world: { device, scheduler } }, random) => {
    const contexts = [...device.pages, device.worker].filter((context) => context !== undefined);
    if (contexts.length > 0) random.pick(contexts).lane.frozenUntil = scheduler.now + random.between(40_000, 200_000);
  },
  'frozen while sending': ({ world: { network } }, random) => {
    network.freezeNext = random.between(40_000, 200_000);
  },
  'radio off': ({ world }) => {
    world.network.online = false;
  },
  'radio on': ({ world: { network, device } }) => {
    network.online = true;
    device.linkReturned();
  },
  'sign out': ({ administrator }, random) => administrator.signOut(random),
  'sign in': async ({ administrator }) => {
    if (administrator.signedIn === undefined) await administrator.signIn('1');
  },
  'switch user': async ({ administrator }, random) => {
    const other = administrator.signedIn === '2' ? '1' : '2';
    administrator.signOut(random);
    await administrator.signIn(other);
  },
  'edit elsewhere': editElsewhere,
  'delete elsewhere': deleteElsewhere,
  'delete image elsewhere': deleteImageElsewhere,
  'settings elsewhere': ({ world }, random) => {
    const [field, write] = random.pick(Object.entries(SETTINGS_EDITED));
    return world.really(() => world.editSettingsElsewhere({ [field]: write(world.mark()) }));
  },
  'sleep two days': ({ world }) => {
    world.scheduler.now += TWO_DAYS;
  },
  'clock set back': ({ world }) => {
    world.device.skew -= TWO_DAYS;
  },
  'clock set ahead': ({ world }) => {
    world.device.skew += TWO_DAYS;
  },
  'storage full': ({ world: { device } }, random) => {
    device.storage.full = true;
    device.room = random.chance(0.5) ? 0 : Number.POSITIVE_INFINITY;
  },
  'storage free': ({ world: { device } }) => {
    device.storage.full = false;
    device.room = Number.POSITIVE_INFINITY;
  },
  'storage wiped': wipe,
  'connection to storage lost': ({ world: { device } }, random) => {
    const contexts = [...device.pages, device.worker].filter((context) => context !== undefined);
    if (contexts.length > 0) device.storage.dropConnections(random.pick(contexts).lane);
  },
  'file rots': rot,
  'older app wrote the queue': olderApp,
  'locks leak': ({ world: { device } }, random) => {
    if (random.chance(0.5)) device.locks.doubles = true;
    else device.locks.sticks = true;
  },
  'cookies gone': ({ world }) => world.network.jar.clear(),
  // Seconds: below and above the delay of the notice, beyond the time-out of reads, and beyond that of writes.
  'transaction never ends': ({ world: { device } }, random) => device.holdStorage(random.pick([5, 15, 40, 90]) * 1_000),
  'staged files harmed': harmStagedFiles,
  'feed asked': ({ feed }, random) => feed.ask(random),
  'file replaced elsewhere': replaceElsewhere,
  'equal row made elsewhere': makeEqualElsewhere,
  'saved in a tab left open': ({ administrator }, random) => {
    if (administrator.gone !== undefined) administrator.editor.saveInLeftTab(random, administrator.gone);
  },
  'form left half filled': ({ administrator }, random) => administrator.drafts.leave(random),
};

/** The administrator resolves what needs attention, and signs in again if the server requires it. */
async function attend(scenario: Scenario, random: Random): Promise<void> {
  const { administrator } = scenario;
  if (administrator.signedIn !== undefined && pauseOf(scenario) === 'signed-out')
    await administrator.signIn(administrator.signedIn);
  administrator.outboxScreen.attend(random);
}

/** Kills after this many more tasks, in the middle of whatever is running then. */
async function killSoon({ world, oracle }: Scenario, random: Random, find: () => Context | undefined): Promise<void> {
  const context = find();
  if (context === undefined) return;
  let turns = random.between(0, random.chance(0.5) ? 12 : 120);
  world.scheduler.beforeTask = (lane) => {
    if (lane !== context.lane || !lane.alive) return;
    turns -= 1;
    if (turns > 0) return;
    world.device.kill(context);
    oracle.checkStored();
  };
}

async function killBrowser({ world: { device }, oracle }: Scenario): Promise<void> {
  for (const context of [...device.pages, device.worker]) if (context !== undefined) device.kill(context);
  oracle.checkStored();
  device.openPage();
}

async function editElsewhere({ world, administrator }: Scenario, random: Random): Promise<void> {
  const subject = random.pick(world.subjects);
  await world.really(async () => {
    const rows = await administrator.rowsElsewhere(subject.resource);
    if (rows.length === 0) return;
    const fields = Object.entries(subject.edited);
    if (fields.length === 0) return;
    const [field, write] = random.pick(fields);
    await world.editElsewhere(subject.resource, random.pick(rows), { [field]: write(world.mark()) });
  });
}

/** Someone replaces the file of a record, or adds an image to it. */
async function replaceElsewhere({ world, administrator }: Scenario, random: Random): Promise<void> {
  const subject = random.pick(world.subjects);
  await world.really(async () => {
    const rows = await administrator.rowsElsewhere(subject.resource);
    if (rows.length === 0) return;
    const field = subject.single !== undefined && (!subject.images || random.chance(0.6)) ? subject.single : 'images';
    await world.editElsewhere(subject.resource, random.pick(rows), {}, [[field, sampleFor(field, world.mark())]]);
  });
}

/** Someone creates a record with the texts of the last one that was created here, and with other files. */
async function makeEqualElsewhere({ world, ledger }: Scenario): Promise<void> {
  const last = ledger.changes.findLast(({ op }) => op === 'create');
  const subject = world.subjects.find(({ resource }) => resource === last?.resource);
  if (last === undefined || subject === undefined || last.touched[subject.invalid?.[0] ?? ''] === subject.invalid?.[1])
    return;
  await world.really(async () => {
    const fields = last.files.map(({ field }) => field);
    const id = await world.createElsewhere(subject, last.touched, fields);
    ledger.equalRows.add(`${subject.resource}/${id}`);
  });
}

async function deleteElsewhere({ world, ledger, administrator }: Scenario, random: Random): Promise<void> {
  const subject = random.pick(world.subjects);
  await world.really(async () => {
    const rows = await administrator.rowsElsewhere(subject.resource);
    if (rows.length === 0) return;
    const { record } = random.pick(rows);
    ledger.removedElsewhere.add(String(record[subject.identity]));
    await world.deleteElsewhere(subject.resource, record.id);
  });
}

async function deleteImageElsewhere({ world, ledger, administrator }: Scenario, random: Random): Promise<void> {
  const subject = random.pick(world.subjects.filter(({ images }) => images));
  await world.really(async () => {
    const images = (await administrator.rowsElsewhere(subject.resource)).flatMap(({ record, images: all }) =>
      all.map((image) => ({ ...image, row: record.id, record: String(record[subject.identity]) })),
    );
    if (images.length === 0) return;
    const image = random.pick(images);
    ledger.imagesRemoved.push(image);
    await world.deleteImageElsewhere(subject.resource, image.id);
  });
}

/** The browser clears the site's storage, including the session. The next page must notice. */
async function wipe(scenario: Scenario): Promise<void> {
  const { world, ledger, oracle, administrator } = scenario;
  const saved = ledger.changes.some(({ fate, entryId }) => fate === 'kept' && entryId !== undefined);
  ledger.wiped(world.device.entries());
  world.device.storage.wipe();
  await killBrowser(scenario);
  administrator.wiped();
  if (saved && !(await wipeIsNoticed(scenario)))
    oracle.failures.push('untold: the outbox was thrown away and nobody noticed');
  if (administrator.signedIn !== undefined) await administrator.signIn(administrator.signedIn);
}

/** Exports the queue, continues to send it here for a while, and imports it where nothing else is. */
async function moveByFile(scenario: Scenario, random: Random): Promise<void> {
  const { scheduler } = scenario.world;
  if (!(await scenario.administrator.carrier.carryOff())) return;
  await scheduler.run(scheduler.now + random.pick([0, 500, 20_000, 90_000]));
  await wipe(scenario);
  scenario.administrator.carrier.takeIn();
}

/** Large files are uploaded only sometimes. This affects the next one, after one of its chunks. */
function harmStagedFiles({ world }: Scenario, random: Random): void {
  const harm = random.pick(['swept', 'damaged'] as const);
  let pieces = random.between(1, 3);
  world.network.afterPiece = () => {
    pieces -= 1;
    if (pieces !== 0) return undefined;
    world.scheduler.trace(`staged files are ${harm}`);
    return world.server.harmStaged?.(harm);
  };
}

function rot({ world: { device } }: Scenario, random: Random): void {
  const empty = random.chance(0.5);
  device.storage.alter<StoredFile>(OUTBOX, 'files', (row) => {
    if (!random.chance(0.5)) return row;
    const bytes = empty ? new ArrayBuffer(0) : new Uint8Array(random.bytes(row.size)).buffer;
    return { ...row, bytes: row.bytes instanceof Blob ? new Blob([bytes]) : bytes };
  });
}

/** Adds a pending change that only a newer version of the app can read. It must be left untouched. */
async function newerApp({ world, ledger }: Scenario): Promise<void> {
  const page = world.device.pages.at(-1) ?? world.device.openPage();
  const change = {
    op: 'update',
    resource: 'partners',
    recordId: '1',
    values: {},
    files: [],
    base: { values: {}, imageIds: [] },
  } as const;
  const id = `from a newer app ${world.mark()}`;
  const entry = {
    schema: NEWER,
    id,
    administrator: '1',
    change,
    title: 'newer',
    idempotencyKey: id,
    state: 'queued' as const,
  };
  const facts = { ...entry, createdAt: world.scheduler.now, attempts: 0 };
  world.scheduler.soon(() => {
    page.environment.outbox.entries
      .add(facts as never)
      .then((sequence) => ledger.unreadable.set(sequence, JSON.stringify({ ...facts, sequence })))
      .catch(() => undefined);
  }, page.lane);
}

/**
 * Rewrites the queue as older versions of the app did: version 2 did not record what was repaired, version 1 had no state
 * for an unknown delivery, which its attempts told.
 */
function olderApp({ world: { device } }: Scenario): void {
  device.storage.alter<OutboxEntry>(OUTBOX, 'entries', (entry) => {
    if (entry.state === 'done' || entry.schema !== ENTRY_SCHEMA) return entry;
    const { repaired: _, doubt, ...rest } = asVersion3(entry);
    const hasAttempts = rest.state !== 'refused' && Number(rest.attempts) > 0;
    const older = doubt && !hasAttempts ? { ...rest, doubt, schema: 2 } : { ...rest, schema: 1 };
    return older as unknown as OutboxEntry;
  });
}
