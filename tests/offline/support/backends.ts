import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp, type Overrides } from '../../../server/app.ts';
import { CAPABILITIES_PATH, type Capabilities } from '../../../src/domain/protocol/capabilities.ts';
import { readSettings } from '../../../server/settings/settings.ts';
import { ContractOnlyBackend } from '../../harness/contract-only-server.ts';
import { injectRequest } from '../../harness/inject-request.ts';
import { ADMIN, CHEAP, copyPreparedData, SETTINGS } from '../../harness/prepared-data.ts';

export type BackendKind = 'own' | 'contract-only';

/** An in-process server: the real one, or the fake stock back end. */
export interface TestBackend {
  readonly kind: BackendKind;
  handle(request: Request): Promise<Response>;
  /** The hash of a stored file's bytes as received. */
  receivedSha256(fileName: string): Promise<string | undefined>;
  readonly accounts: readonly { readonly email: string; readonly password: string }[];
  close(): Promise<void>;
}

export const ORIGIN = 'http://voltdesk.test';

export interface OwnBackend extends TestBackend {
  readonly app: FastifyInstance;
  /** The same server, with batches among its capabilities. */
  readonly together: TestBackend;
  /** The same server as it is: confirmed changes are kept until they are in a backup. */
  readonly keeping: TestBackend;
}

/**
 * The real server on a data folder of its own. It offers no batches, so that a test can tell requests apart, and tells nothing of
 * its backups, so that nothing stays after it is confirmed.
 */
export async function ownBackend(overrides: Overrides = {}): Promise<OwnBackend> {
  const dataDir = await mkdtemp(join(tmpdir(), 'voltdesk-offline-'));
  await copyPreparedData(dataDir);
  const settings = readSettings({ ...SETTINGS, DATA_DIR: dataDir });
  const app = await buildApp(settings, { passwordCost: CHEAP, ...overrides });
  const keeping: TestBackend = {
    kind: 'own',
    accounts: [ADMIN],
    handle: (request) => injectRequest(app, request),
    async receivedSha256(fileName) {
      const { db } = app.services;
      const row = await db
        .selectFrom('files')
        .select('received_sha256')
        .where('name', '=', fileName)
        .executeTakeFirst();
      return row?.received_sha256;
    },
    async close() {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  const handle = (...names: readonly (keyof Capabilities)[]) => ({
    handle: async (request: Request) => without(names, request, await injectRequest(app, request)),
  });
  const together = { ...keeping, ...handle('kept') };
  return { ...keeping, app, keeping, together, ...handle('batches', 'kept') };
}

/** Removes some of the server's capabilities. */
async function without(names: readonly (keyof Capabilities)[], { url }: Request, answer: Response): Promise<Response> {
  if (new URL(url).pathname !== CAPABILITIES_PATH || answer.status !== 200) return answer;
  const told = Object.entries((await answer.json()) as Capabilities);
  const others = told.filter(([name]) => !names.some((one) => one === name));
  return new Response(JSON.stringify(Object.fromEntries(others)), { status: 200, headers: answer.headers });
}

/** A fake stock back end of the contract. */
export function contractOnlyBackend(
  clock: () => number = Date.now,
): TestBackend & { readonly backend: ContractOnlyBackend } {
  const backend = new ContractOnlyBackend({ clock });
  return {
    kind: 'contract-only',
    backend,
    accounts: [
      { email: 'admin@example.com', password: 'password' },
      { email: 'second@example.com', password: 'password' },
    ],
    handle: (request) => backend.handle(request),
    receivedSha256: async (fileName) => backend.file(fileName)?.sha256,
    close: async () => {},
  };
}
