import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import type { Webhook, WebhookDelivery } from '../../../src/domain/protocol/webhooks.ts';
import { notFound } from '../../errors/refusal.ts';
import type { Attempted, DueDelivery, Webhooks } from '../webhooks.ts';
import { positionNow } from './epochs.ts';
import type { Database, WebhookDeliveryRow, WebhookRow, Writing } from './tables.ts';
import type { TokenWorld } from './tokens.ts';

const SECRET_BYTES = 32;
const ID_BYTES = 16;
/** Changed records that one message names. The rest follows in the next one. */
const MAX_RECORDS = 500;
/** Finished deliveries kept per address. */
const MAX_LOGGED = 200;
/** Deliveries that a list shows per address. */
const MAX_SHOWN = 20;

/** Kinds whose changes are told: those that the content API answers. */
const TOLD: readonly string[] = [...RESOURCES.map(({ name }) => name), siteMeta.name];

/** What a message says: ids of changed or deleted records by kind. */
interface Message {
  readonly type: 'content.changed';
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    /** The number of the last change, which grows with every message of an address. */
    readonly cursor: number;
    readonly changed: Readonly<Record<string, readonly number[]>>;
  };
}

/** Webhooks in tables. */
export function webhooksIn(world: TokenWorld): Webhooks {
  const { db, randomBytes, now } = world;
  return {
    list: () => list(db),
    async add(url) {
      const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
      const row = { id: randomBytes(ID_BYTES).toString('hex'), url, secret, created_at: isoTime(now()) };
      await db
        .insertInto('webhooks')
        .values({ ...row, told_seq: (await positionNow(db)).seq })
        .execute();
      return secret;
    },
    async remove(id) {
      const removed = await db.deleteFrom('webhooks').where('id', '=', id).returning('url').executeTakeFirst();
      if (removed === undefined) throw notFound('This webhook no longer exists.');
      return removed.url;
    },
    gather: () => gather(world),
    claimDue: (until) => claimDue(world, until),
    note: (messageId, attempted) => note(db, messageId, attempted),
    async sendAgain(messageId) {
      const { numUpdatedRows } = await db
        .updateTable('webhook_deliveries')
        .set({ next_at: isoTime(now()) })
        .where('message_id', '=', messageId)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw notFound('This delivery no longer exists.');
    },
    async nextDue() {
      const heads = await headsOf(db);
      return heads.length === 0 ? undefined : Math.min(...heads.map(({ next_at }) => Date.parse(next_at ?? '')));
    },
  };
}

async function list(db: Database): Promise<Webhook[]> {
  const hooks = await db.selectFrom('webhooks').selectAll().orderBy('created_at').execute();
  const lists = hooks.map(async ({ id, url, created_at }) => ({
    id,
    url,
    createdAt: created_at,
    deliveries: (await newestOf(db, id)).map(deliveryOf),
  }));
  return Promise.all(lists);
}

function newestOf(db: Database, webhookId: string): Promise<WebhookDeliveryRow[]> {
  const own = db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId);
  return own.orderBy('id', 'desc').limit(MAX_SHOWN).execute();
}

function deliveryOf({
  message_id,
  created_at,
  attempts,
  next_at,
  status,
  problem,
}: WebhookDeliveryRow): WebhookDelivery {
  const state = next_at !== null ? 'waiting' : problem === null ? 'delivered' : 'given-up';
  return {
    id: message_id,
    createdAt: created_at,
    state,
    attempts,
    ...(status === null ? {} : { status }),
    ...(problem === null ? {} : { problem }),
    ...(next_at === null ? {} : { nextAt: next_at }),
  };
}

/** Looks before it writes: nothing has changed most of the time. */
async function gather(world: TokenWorld): Promise<void> {
  const { seq: last } = await positionNow(world.db);
  const behind = await world.db.selectFrom('webhooks').select('id').where('told_seq', '<', last).execute();
  for (const { id } of behind) while (await gatherPart(world, id));
}

/** Puts the next changes of an address into a delivery. Returns true if more are left. */
function gatherPart(world: TokenWorld, id: string): Promise<boolean> {
  return world.db.transaction().execute(async (writing) => {
    const hook = await writing.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
    if (hook === undefined) return false;
    const { seq: last } = await positionNow(writing);
    const rows = await writing
      .selectFrom('feed')
      .selectAll()
      .where('seq', '>', hook.told_seq)
      .where('subject', 'in', TOLD)
      .orderBy('seq')
      .limit(MAX_RECORDS)
      .execute();
    const hasMore = rows.length === MAX_RECORDS;
    const cursor = hasMore ? (rows.at(-1)?.seq ?? last) : last;
    if (rows.length > 0) await addDelivery(world, writing, hook, { rows, cursor });
    await writing.updateTable('webhooks').set({ told_seq: cursor }).where('id', '=', id).execute();
    return hasMore;
  });
}

interface Part {
  readonly rows: readonly { readonly subject: string; readonly record_id: number }[];
  readonly cursor: number;
}

async function addDelivery(
  world: TokenWorld,
  writing: Writing,
  hook: WebhookRow,
  { rows, cursor }: Part,
): Promise<void> {
  const at = isoTime(world.now());
  const bySubject = Object.groupBy(rows, ({ subject }) => subject);
  const changed = Object.entries(bySubject).map(
    ([subject, some = []]) => [subject, some.map(({ record_id }) => record_id)] as const,
  );
  const message: Message = {
    type: 'content.changed',
    timestamp: at,
    data: { cursor, changed: Object.fromEntries(changed) },
  };
  await writing
    .insertInto('webhook_deliveries')
    .values({
      message_id: `msg_${world.randomBytes(ID_BYTES).toString('hex')}`,
      webhook_id: hook.id,
      body: JSON.stringify(message),
      created_at: at,
      attempts: 0,
      next_at: at,
      status: null,
      problem: null,
    })
    .execute();
}

/** The oldest undelivered message of each address: later ones wait behind it. */
async function headsOf(db: Database): Promise<WebhookDeliveryRow[]> {
  const oldest = db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.min('id').as('id'))
    .where('next_at', 'is not', null)
    .groupBy('webhook_id');
  return db.selectFrom('webhook_deliveries').selectAll().where('id', 'in', oldest).execute();
}

/** Several servers may ask at once: whoever moves a message's time first has claimed it. */
async function claimDue({ db, now }: TokenWorld, until: number): Promise<DueDelivery[]> {
  const due = (await headsOf(db)).filter(({ next_at }) => next_at !== null && next_at <= isoTime(now()));
  const claimed: DueDelivery[] = [];
  for (const { id, webhook_id, message_id, body, attempts, next_at, created_at } of due) {
    const { numUpdatedRows } = await db
      .updateTable('webhook_deliveries')
      .set({ next_at: isoTime(until), attempts: attempts + 1 })
      .where('id', '=', id)
      .where('next_at', '=', next_at)
      .executeTakeFirst();
    const hook = await db.selectFrom('webhooks').selectAll().where('id', '=', webhook_id).executeTakeFirst();
    if (numUpdatedRows === 0n || hook === undefined) continue;
    const { url, secret } = hook;
    claimed.push({ messageId: message_id, url, secret, body, attempts, createdAt: created_at });
  }
  return claimed;
}

async function note(db: Database, messageId: string, attempted: Attempted): Promise<void> {
  const noted = await db
    .updateTable('webhook_deliveries')
    .set({
      next_at: attempted.outcome === 'retry' ? isoTime(attempted.at) : null,
      status: attempted.status ?? null,
      problem: attempted.outcome === 'delivered' ? null : attempted.problem,
    })
    .where('message_id', '=', messageId)
    .returning(['webhook_id', 'id'])
    .executeTakeFirst();
  if (noted !== undefined && attempted.outcome !== 'retry') await forgetOldest(db, noted.webhook_id);
}

async function forgetOldest(db: Database, webhookId: string): Promise<void> {
  const finished = db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId).where('next_at', 'is', null);
  const kept = await finished.select('id').orderBy('id', 'desc').limit(1).offset(MAX_LOGGED).executeTakeFirst();
  if (kept === undefined) return;
  await db
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('next_at', 'is', null)
    .where('id', '<=', kept.id)
    .execute();
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
