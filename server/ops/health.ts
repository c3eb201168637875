import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { BackEndHealth, GatewayHealth } from '../../src/domain/protocol/gateway-health.ts';
import { HEALTH_PATH, type ServerHealth } from '../../src/domain/protocol/health.ts';
import type { Readiness } from './readiness.ts';
import type { Services } from '../services.ts';
import type { Settings } from '../settings/settings.ts';
import type { OwnStore } from '../stores/store.ts';
import { certificateOf } from './certificate.ts';
import { programVersion } from './version.ts';

/** Reports the health of this server. */
export type LookAtHealth = () => Promise<ServerHealth>;

/** The health of a server with its own store. */
export function healthOf(services: Services, store: OwnStore): LookAtHealth {
  const { settings, storage, sizes, now } = services;
  const startedAt = new Date(now()).toISOString();
  const version = programVersion();
  const certificate = settings.publicHost === '' ? undefined : certificateOf(settings.publicHost, now);
  return async () => {
    const [problem, disk, files, databaseSize, seen] = await Promise.all([
      store.whyNotReady(),
      statfs(settings.dataDir),
      store.filesHealth().catch(() => undefined),
      // unknown while the database is unreachable
      store.size().catch(() => undefined),
      certificate?.(),
    ]);
    return {
      version,
      startedAt,
      ...(problem === undefined ? {} : { problem }),
      diskFree: disk.bavail * disk.bsize,
      diskSize: disk.blocks * disk.bsize,
      largestRequest: storage.limits.maxRequestBytes,
      ...(databaseSize === undefined ? {} : { databaseSize }),
      picturesWaiting: sizes.waiting(),
      ...(files === undefined ? {} : { files }),
      backup: await backupHealth(services),
      ...(seen === undefined ? {} : { certificate: seen }),
    };
  };
}

/** What every server can report. Behind a gateway, records, pictures and backups belong to the back end. */
export type Vitals = Pick<ServerHealth, 'startedAt' | 'problem' | 'diskFree' | 'diskSize' | 'certificate'> &
  Partial<Pick<ServerHealth, 'databaseSize' | 'picturesWaiting' | 'backup'>>;

/** The health of a gateway: whether its journal and back end work, its disk and its certificate. */
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

/** The health of a gateway as its administrators see it, with what it has learned about its back end. */
export function healthOfGateway(
  vitals: () => Promise<Vitals>,
  backEnd: () => Promise<BackEndHealth>,
  largestRequest: number,
): () => Promise<GatewayHealth> {
  const version = programVersion();
  return async () => {
    const [own, learned] = await Promise.all([vitals(), backEnd()]);
    return { ...own, version, largestRequest, backEnd: learned };
  };
}

async function backupHealth({ settings, backups }: Services): Promise<ServerHealth['backup']> {
  const { backupDir, backupUrl, backupEveryHours, backupKey } = settings;
  // unknown while the database is unreachable
  const last = await backups.last().catch(() => undefined);
  return {
    ...(last === undefined ? {} : { at: last.at, damaged: last.damaged }),
    ...(backupDir === '' && backupUrl === '' ? {} : { everyHours: backupEveryHours }),
    ...(last?.problem === undefined ? {} : { problem: last.problem }),
    isEncrypted: last === undefined ? backupKey !== '' : last.isEncrypted === true,
  };
}

/** Only owners may ask, see security/least-role.ts. Behind a gateway there are no roles, and everyone who is signed in may. */
export function healthRoute(api: FastifyInstance, look: () => Promise<object>): void {
  api.get(HEALTH_PATH, look);
}
