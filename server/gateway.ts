import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import cookies from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unusableReason } from './errors/faults.ts';
import { type LogStream, newFastify, type TimeLimits } from './fastify.ts';
import { batchRoutes } from './protocol/batches.ts';
import { readBodies } from './protocol/bodies.ts';
import { healthOfGateway, healthRoute, vitalsOfGateway } from './ops/health.ts';
import { metricsRoute } from './ops/metrics.ts';
import { capabilitiesRoute } from './protocol/capabilities.ts';
import { changesRoute, outcomeRoute } from './protocol/changes.ts';
import { answerErrors } from './protocol/errors.ts';
import { feedRoutes, liveRoutes } from './protocol/feed.ts';
import { healthRoutes } from './protocol/health.ts';
import { recordRoutes } from './protocol/records.ts';
import { settingsRoute } from './protocol/settings-json.ts';
import { stagingRoutes } from './protocol/staging.ts';
import { webAppRoute } from './protocol/web-app.ts';
import { backEndReadiness, type Readiness } from './ops/readiness.ts';
import { countAttempts } from './shared/attempts.ts';
import { audit } from './security/audit.ts';
import { setSecurityHeaders } from './security/headers.ts';
import { credentialsOf, requireSignIn } from './security/session.ts';
import type { Settings } from './settings/settings.ts';
import { steadyTime } from './shared/steady-clock.ts';
import { seatsHere } from './shared/seats.ts';
import { waitingHere } from './shared/waiting-keys.ts';
import { StagingFolder } from './staging/staging-folder.ts';
import { stagingIn } from './staging/staging-in.ts';
import { BackEnd } from './stores/remote/back-end.ts';
import { Journal } from './stores/remote/journal.ts';
import { passOn } from './stores/remote/proxy.ts';
import { type SignInDesk, signInRoute } from './stores/remote/sign-in.ts';
import { RemoteStore } from './stores/remote/store.ts';
import { httpTransport, type Transport } from './stores/remote/transport.ts';
import { type Disk, realDisk } from './uploads/disk.ts';
import { filesOnDisk } from './uploads/file-store.ts';
import { incomingFolder, prepareFolders, type Storage } from './uploads/storage.ts';

/** Replacements that a test injects. Milliseconds. */
export interface GatewayOverrides {
  /** Time-out of the back end. */
  readonly answerTime?: number;
  /** How long after its start an unanswered request may still take effect. */
  readonly longestRequest?: number;
  readonly now?: () => number;
  readonly after?: (milliseconds: number, work: () => Promise<void>) => () => void;
  readonly randomBytes?: (count: number) => Buffer;
  readonly transport?: Transport;
  readonly disk?: Disk;
  readonly openJournal?: typeof Journal.open;
  readonly logStream?: LogStream;
  readonly timeLimits?: TimeLimits;
}

const ANSWER_TIME = 120_000;
/** PHP and its proxies end a request within a minute, queues included. Milliseconds, added to the time-out. */
const ENDS_WITHIN = 60_000;

/**
 * Builds the gateway in front of an existing back end, without listening. It serves the app, makes every change take effect
 * exactly once and proxies everything else.
 */
export async function buildGateway(settings: Settings, overrides: GatewayOverrides = {}): Promise<FastifyInstance> {
  const { answerTime = ANSWER_TIME, timeLimits, logStream } = overrides;
  const app = newFastify(settings, logStream, timeLimits);
  const storage = storageOf(settings, overrides);
  const { store, desk } = await openStore(app, settings, overrides, storage);
  // before the routes it measures
  const vitals = vitalsOfGateway(settings, store.whyNotReady, storage.now);
  metricsRoute(app, settings, vitals);
  await prepareFolders(storage);
  await sweep(storage, await store.start());
  const staging = stagingIn(settings, new StagingFolder({ ...storage, folder: join(settings.dataDir, 'staging') }));
  await staging.sweep();
  const changes = { store, storage, staging, waiting: waitingHere() };
  answerErrors(app);
  setSecurityHeaders(app, settings);
  await app.register(cookies);
  await app.register(async (api) => {
    readBodies(api, storage);
    requireSignIn(api, store);
    signInRoute(api, desk);
    recordRoutes(api, changes);
    changesRoute(api, changes);
    outcomeRoute(api, changes);
    batchRoutes(api, changes);
    feedRoutes(api, store);
    liveRoutes(api, store, { mostPerPerson: settings.liveConnections }, seatsHere());
    stagingRoutes(api, staging, settings.maxFileBytes);
    healthRoute(
      api,
      healthOfGateway(vitals, () => store.backEndHealth(), settings.maxRequestBytes),
    );
    capabilitiesRoute(api, store.capabilities);
  });
  const onLogOut = (request: FastifyRequest) => {
    const user = store.forgetToken(credentialsOf(request));
    if (user !== undefined) audit(request, 'signed out', user.email);
  };
  const { apiUrl, maxRequestBytes } = settings;
  await app.register((api) => passOn(api, { apiUrl, answerTime, maxRequestBytes, onLogOut }));
  settingsRoute(app, settings);
  healthRoutes(app, store.whyNotReady);
  webAppRoute(app, { appDir: settings.appDir, earlierDir: join(settings.dataDir, 'app-files') });
  return app;
}

function storageOf(settings: Settings, overrides: GatewayOverrides): Storage {
  const { maxFileBytes, maxRequestBytes, maxFiles } = settings;
  const folder = join(settings.dataDir, 'gateway');
  const disk = overrides.disk ?? realDisk;
  return {
    folder,
    disk,
    files: filesOnDisk(folder, disk),
    limits: { maxFileBytes, maxRequestBytes, maxFiles },
    randomBytes: overrides.randomBytes ?? randomBytes,
    now: overrides.now ?? Date.now,
  };
}

async function openStore(
  app: FastifyInstance,
  settings: Settings,
  overrides: GatewayOverrides,
  storage: Storage,
): Promise<{ readonly store: RemoteStore; readonly desk: SignInDesk }> {
  const { answerTime = ANSWER_TIME } = overrides;
  const now = steadyTime(overrides.now);
  const http = httpTransport(settings.apiUrl);
  const journal = await (overrides.openJournal ?? Journal.open)(settings.dataDir, now);
  const backEnd = new BackEnd(overrides.transport ?? http, answerTime, journal);
  const store = new RemoteStore({
    backEnd,
    journal,
    now,
    after: overrides.after ?? later,
    longestRequest: overrides.longestRequest ?? answerTime + ENDS_WITHIN,
    storage,
    backEndLimits: { maxRequestBytes: settings.apiMaxRequestBytes, maxFilesPerRequest: settings.apiMaxFiles },
    readiness: readinessOf(journal, backEndReadiness(settings.apiUrl, now, overrides.answerTime)),
    log: app.log,
  });
  app.addHook('onClose', async () => {
    await store.close();
    http.close();
  });
  const secret = await journal.secret('known devices', storage.randomBytes);
  return { store, desk: { backEnd, attempts: countAttempts(overrides.now), secret } };
}

function readinessOf(journal: Journal, backEnd: Readiness): Readiness {
  return () =>
    journal.check().then(
      () => backEnd(),
      (error: object) => unusableReason(error) ?? 'The journal cannot be used.',
    );
}

function later(milliseconds: number, work: () => Promise<void>): () => void {
  const timer = setTimeout(() => void work(), milliseconds).unref();
  return () => clearTimeout(timer);
}

/** Removes files that a killed gateway had received and not passed on. */
async function sweep(storage: Storage, needed: ReadonlySet<string>): Promise<void> {
  for (const folder of [storage.folder, incomingFolder(storage)]) {
    const entries = await readdir(folder, { withFileTypes: true });
    const unneeded = entries.filter((entry) => entry.isFile() && !needed.has(entry.name));
    await Promise.all(unneeded.map(({ name }) => storage.disk.remove(join(folder, name))));
  }
}
