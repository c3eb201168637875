import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import cookies from '@fastify/cookie';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { prepareDataFolder } from './ops/data-folder.ts';
import { openEngine } from './database.ts';
import type { openSqlite } from './stores/sqlite/sqlite.ts';
import { limitTimes, type LogStream, type TimeLimits, unlimitedFastify } from './fastify.ts';
import { answerErrors } from './protocol/errors.ts';
import { batchRoutes } from './protocol/batches.ts';
import { readBodies } from './protocol/bodies.ts';
import { guardAgainstForgery, renew, type Seal } from './security/anti-forgery.ts';
import { ownWordsOf } from './security/new-password.ts';
import { setSecurityHeaders } from './security/headers.ts';
import { requireFreshSignIn } from './security/fresh.ts';
import { requireRole } from './security/least-role.ts';
import { requireNothingOwed } from './security/owed.ts';
import { requireSignIn } from './security/session.ts';
import { contentRoutes } from './content/content-routes.ts';
import { postOverHttp } from './content/webhook-request.ts';
import { webhookRoutes } from './content/webhook-routes.ts';
import { WebhookSender } from './content/webhook-sender.ts';
import { contentOwnerRoutes } from './content/owner-routes.ts';
import { sweepWorkFolders } from './commands/work-folder.ts';
import { backupRoutes } from './ops/backup-routes.ts';
import { BackupRunner } from './ops/backup-runner.ts';
import { noticesRoute, OwnerWatch, watchForOwners } from './ops/owner-watch.ts';
import { backUpOnTime } from './ops/backup-timer.ts';
import { healthOf, healthRoute, type LookAtHealth } from './ops/health.ts';
import { causesOf } from '../src/domain/protocol/notices.ts';
import { metricsRoute } from './ops/metrics.ts';
import { authRoutes } from './protocol/auth.ts';
import { capabilitiesRoute } from './protocol/capabilities.ts';
import { deviceRoutes } from './protocol/devices.ts';
import { feedRoutes, liveRoutes } from './protocol/feed.ts';
import type { LiveLimits } from './protocol/live-feed.ts';
import { forgottenRoute } from './protocol/forgotten.ts';
import { healthRoutes } from './protocol/health.ts';
import { changesRoute } from './protocol/changes.ts';
import { historyRoutes } from './protocol/history.ts';
import { linkRoutes } from './protocol/links.ts';
import { keptRoute } from './protocol/kept.ts';
import { lookupRoutes } from './protocol/lookups.ts';
import { peopleRoutes } from './protocol/people.ts';
import { listRoutes, recordRoutes } from './protocol/records.ts';
import { presenceRoute } from './protocol/presence.ts';
import { secondStepRoutes } from './protocol/second-step.ts';
import { securityRoutes } from './protocol/security.ts';
import { sessionRoutes } from './protocol/sessions.ts';
import { settingsRoute } from './protocol/settings-json.ts';
import { stagingRoutes } from './protocol/staging.ts';
import { trashRoutes } from './protocol/trash.ts';
import { uploadRoutes } from './protocol/uploads.ts';
import { webAppRoute } from './protocol/web-app.ts';
import { PASSWORD_COST, type PasswordCost, passwordHashing } from './security/passwords.ts';
import { mailOver, type SendMail } from './accounts/mail.ts';
import type { Services } from './services.ts';
import type { Settings } from './settings/settings.ts';
import { stagingIn } from './staging/staging-in.ts';
import type { SqlServices } from './stores/sql/services.ts';
import type { Engine } from './stores/sql/engine.ts';
import { openStore } from './stores/sql/store.ts';
import type { OwnStore } from './stores/store.ts';
import { type Disk, realDisk } from './uploads/disk.ts';
import { withinRoom } from './uploads/file-cache.ts';
import { type FilePlace, type FileStore, whereFilesLast } from './uploads/file-store.ts';
import { reserveIn } from './uploads/reserve.ts';
import { sizeMaker } from './uploads/size-maker.ts';
import { prepareFolders } from './uploads/storage.ts';

/** Replacements that a test injects. */
export interface Overrides {
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly randomBytes?: (count: number) => Buffer;
  readonly passwordCost?: PasswordCost;
  readonly disk?: Disk;
  readonly openSqlite?: typeof openSqlite;
  readonly openEngine?: (dataDir: string) => Promise<Engine>;
  readonly logStream?: LogStream;
  readonly sendMail?: SendMail;
  readonly timeLimits?: TimeLimits;
  readonly liveLimits?: Partial<LiveLimits>;
}

/** Builds the server without listening; `app.inject` drives it in process. Closing it closes the database. */
export async function buildApp(settings: Settings, overrides: Overrides = {}): Promise<FastifyInstance> {
  const app = unlimitedFastify(settings, overrides.logStream, overrides.timeLimits);
  prepareDataFolder(settings.dataDir);
  const engine = await engineOf(settings, overrides, app.log);
  try {
    await addAll(app, settings, overrides, engine);
  } catch (error) {
    // a connection to the database would keep the process running
    await engine.close();
    throw error;
  }
  return app;
}

async function addAll(app: FastifyInstance, settings: Settings, overrides: Overrides, engine: Engine): Promise<void> {
  const services = await openServices(settings, overrides, engine, app.log);
  const { store, services: own } = await openStore(services, engine);
  app.decorate('services', own);
  app.addHook('onClose', () => store.close());
  const seal: Seal = { randomBytes: services.randomBytes, secret: await store.secret('anti-forgery') };
  answerErrors(app);
  const webhookSender = tellWebhooks(app, services, store);
  const look = healthOf(services, store);
  const runner = new BackupRunner(settings);
  // its answers are short and many, so it has only the hooks that it needs
  await app.register(async (site) => contentRoutes(site, { ...services, store }));
  await app.register(async (desk) => {
    limitTimes(desk, overrides.timeLimits);
    setSecurityHeaders(desk, settings);
    await desk.register(cookies);
    readBodies(desk, services.storage);
    metricsRoute(desk, settings, look, app);
    await desk.register(async (api) => {
      guardAgainstForgery(api, seal);
      addApi(api, { ...services, ...seal }, store, overrides);
      webhookRoutes(api, { ...services, webhooks: store.webhooks, onDue: () => void webhookSender.run() });
      contentOwnerRoutes(api, { ...services, ...store });
      healthRoute(api, look);
      noticesRoute(api, store.notices);
      backupRoutes(api, { ...services, runner });
    });
    settingsRoute(desk, settings);
    uploadRoutes(desk, { store, storage: services.storage });
    healthRoutes(desk, store.whyNotReady);
    webAppRoute(desk, {
      appDir: settings.appDir,
      earlierDir: join(settings.dataDir, 'app-files'),
      onPage: (request, reply) => renew(seal, request, reply),
    });
  });
  watchForOwners(app, ownerWatch(app, { ...services, runner, look, store }));
  app.addHook('onClose', async () => runner.close());
  if (settings.backupDir !== '' || settings.backupUrl !== '')
    backUpOnTime(app, settings.backupEveryHours, { runner, notes: engine.backups });
}

/** The watch over what owners have to know. */
function ownerWatch(
  app: FastifyInstance,
  { settings, sendMail, now, runner, look, store }: Services & Watching,
): OwnerWatch {
  const server = hostname();
  return new OwnerWatch({
    notices: store.notices,
    look: async () => {
      const [health, webhooks, devices] = await Promise.all([look(), store.webhooks.list(), store.devices.list()]);
      const { failure } = runner.work;
      const backupFailure = failure === undefined ? {} : { backupFailure: failure };
      return causesOf({ health, ...backupFailure, webhooks, devices, server }, now());
    },
    sendMail,
    brandLabel: settings.brandLabel,
    publicHost: settings.publicHost,
    server,
    now,
    onFault: (err) => app.log.warn({ err }, 'owners not told'),
  });
}

interface Watching {
  readonly runner: BackupRunner;
  readonly look: LookAtHealth;
  readonly store: OwnStore;
}

/** Tells the webhooks of changes while the server listens. */
function tellWebhooks(app: FastifyInstance, { settings, now }: Services, store: OwnStore): WebhookSender {
  const sender = new WebhookSender({
    webhooks: store.webhooks,
    post: postOverHttp(settings.webhooksInside),
    now,
    after(milliseconds, work) {
      const timer = setTimeout(work, milliseconds).unref();
      return () => clearTimeout(timer);
    },
    onTold: () => store.siteContacts.note('toldAt'),
    onFault: (err) => app.log.warn({ err }, 'webhooks not told'),
  });
  let ignore: () => void = () => undefined;
  app.addHook('onListen', () => {
    ignore = store.watch(() => sender.notify());
    void sender.run();
  });
  app.addHook('onClose', () => {
    ignore();
    return sender.close();
  });
  return sender;
}

function engineOf(settings: Settings, overrides: Overrides, log: FastifyBaseLogger): Promise<Engine> {
  if (overrides.openEngine !== undefined) return overrides.openEngine(settings.dataDir);
  const { openSqlite } = overrides;
  const onWait = (words: string) => log.warn(words);
  return openEngine(settings, { onWait, ...(openSqlite === undefined ? {} : { openSqlite }) });
}

/** Registers the API in its own scope: every route added here is guarded, whatever the spelling of its address. */
function addApi(api: FastifyInstance, services: Services & Seal, store: OwnStore, { liveLimits }: Overrides): void {
  // Answers are private by default; cacheable ones with an ETag override this.
  api.addHook('onRequest', async (_request, reply) => void reply.header('Cache-Control', 'no-store'));
  requireSignIn(api, store);
  requireRole(api);
  requireFreshSignIn(api, services.now);
  requireNothingOwed(api);
  const { accounts, people, factors, signedIn } = store;
  const desk = { ...services, accounts, people, factors, signedIn, ownWords: ownWordsOf(services.settings) };
  authRoutes(api, { ...desk, beginSecondStep: secondStepRoutes(api, desk) });
  securityRoutes(api, desk);
  linkRoutes(api, desk);
  peopleRoutes(api, desk);
  forgottenRoute(api, desk);
  sessionRoutes(api, desk);
  deviceRoutes(api, store.devices);
  listRoutes(api, store);
  const { storage, staging, waiting } = services;
  const changes = { store, storage, staging, waiting };
  recordRoutes(api, changes);
  lookupRoutes(api, store);
  historyRoutes(api, store);
  trashRoutes(api, { trash: store.trash, storage });
  feedRoutes(api, store);
  liveRoutes(api, store, { mostPerPerson: services.settings.liveConnections, ...liveLimits }, services.seats);
  presenceRoute(api, services.presence);
  changesRoute(api, changes);
  batchRoutes(api, changes);
  stagingRoutes(api, staging, storage.limits.maxFileBytes);
  keptRoute(api, store);
  capabilitiesRoute(api, store.capabilities);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The services of the store, for tests and commands. */
    services: SqlServices;
  }
}

/** Limits the local cache of files that are stored elsewhere. */
async function filesIn(place: FilePlace, settings: Settings, engine: Engine, now: () => number): Promise<FileStore> {
  const files = (await whereFilesLast(settings.uploadsUrl, engine.filesOf))(place);
  return settings.databaseUrl === '' ? files : withinRoom(files, place, { most: settings.fileCacheBytes, now });
}

async function openServices(
  settings: Settings,
  overrides: Overrides,
  engine: Engine,
  log: FastifyBaseLogger,
): Promise<Services> {
  const now = overrides.now ?? Date.now;
  const random = overrides.randomBytes ?? randomBytes;
  const { maxFileBytes, maxRequestBytes, maxFiles } = settings;
  const place = {
    folder: join(settings.dataDir, 'uploads'),
    disk: overrides.disk ?? realDisk,
    randomBytes: random,
  };
  const storage = {
    ...place,
    files: await filesIn(place, settings, engine, now),
    limits: { maxFileBytes, maxRequestBytes, maxFiles },
    now,
  };
  await prepareFolders(storage);
  await sweepWorkFolders(settings.dataDir);
  const reserve = reserveIn(settings.dataDir, storage.disk, random);
  const shared = engine.sharedBy({ randomBytes: random, ...(overrides.now === undefined ? {} : { now }) });
  const uploads = shared.uploadsIn({ folder: join(settings.dataDir, 'staging'), disk: storage.disk });
  const staging = stagingIn(settings, uploads, () => reserve.keep());
  await reserve.keep().catch((err: unknown) => log.warn({ err }, 'no room is reserved on the disk'));
  await staging.sweep();
  const sizes = sizeMaker(storage, (name, err) => log.warn({ err, name }, 'picture not made smaller'));
  return {
    settings,
    storage,
    staging,
    reserve,
    sizes,
    passwords: passwordHashing(overrides.passwordCost ?? PASSWORD_COST),
    ...shared,
    backups: engine.backups,
    sendMail: overrides.sendMail ?? mailOver(settings),
    randomBytes: random,
    now,
  };
}
