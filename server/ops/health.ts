import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { HEALTH_PATH, type ServerHealth } from '../../src/domain/protocol/health.ts';
import type { Readiness } from '../readiness.ts';
import type { Services } from '../services.ts';
import type { Settings } from '../settings.ts';
import type { OwnStore } from '../stores/store.ts';
import { certificateOf } from './certificate.ts';
import { programVersion } from './version.ts';

/** Tells how this server is doing. */
export type LookAtHealth = () => Promise<ServerHealth>;

/** What there is to know of a server with a store of its own. */
export function healthOf(services: Services, store: OwnStore): LookAtHealth {
  const { settings, storage, sizes, now } = services;
  const startedAt = new Date(now()).toISOString();
  const version = programVersion();
  const certificate = settings.publicHost === '' ? undefined : certificateOf(settings.publicHost, now);
  return async () => {
    const [problem, disk, databaseSize, seen] = await Promise.all([
      store.whyNotReady(),
      statfs(settings.dataDir),
      store.size(),
      certificate?.(),
    ]);
    return {
      version,
      startedAt,
      ...(problem === undefined ? {} : { problem }),
      diskFree: disk.bavail * disk.bsize,
      diskSize: disk.blocks * disk.bsize,
      largestRequest: storage.limits.maxRequestBytes,
      databaseSize,
      picturesWaiting: sizes.waiting(),
      backup: await backupHealth(services),
      ...(seen === undefined ? {} : { certificate: seen }),
    };
  };
}

/** What every server can tell. Records, pictures and backups are the back end's own where this one stands in front of it. */
export type Vitals = Pick<ServerHealth, 'startedAt' | 'problem' | 'diskFree' | 'diskSize' | 'certificate'> &
  Partial<Pick<ServerHealth, 'databaseSize' | 'picturesWaiting' | 'backup'>>;

/** What there is to know of a server in front of a back end: whether journal and back end work, its own disk and certificate. */
export function vitalsOfGateway(
  { dataDir, publicHost }: Pick<Settings, 'dataDir' | 'publicHost'>,
  whyNotReady: Readiness,
  now: () => number,
): () => Promise<Vitals> {
  const startedAt = new Date(now()).toISOString();
  const certificate = publicHost === '' ? undefined : certificateOf(publicHost, now);
  return async () => {
    const [problem, disk, seen] = await Promise.all([whyNotReady(), statfs(dataDir), certificate?.()]);
    return {
      startedAt,
      ...(problem === undefined ? {} : { problem }),
      diskFree: disk.bavail * disk.bsize,
      diskSize: disk.blocks * disk.bsize,
      ...(seen === undefined ? {} : { certificate: seen }),
    };
  };
}

async function backupHealth({ settings, backups }: Services): Promise<ServerHealth['backup']> {
  const { backupDir, backupEveryHours, backupKey } = settings;
  // nobody can tell while the database is away
  const last = await backups.last().catch(() => undefined);
  return {
    ...(last === undefined ? {} : { at: last.at, damaged: last.damaged }),
    ...(backupDir === '' ? {} : { everyHours: backupEveryHours }),
    isEncrypted: backupKey !== '',
  };
}

/** Who may ask is in the table of security/least-role.ts: owners. */
export function healthRoute(api: FastifyInstance, look: LookAtHealth): void {
  api.get(HEALTH_PATH, look);
}
