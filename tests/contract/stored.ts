import type { ResourceName } from '../../src/domain/resource.ts';
import type { ContractOnlyBackend } from '../harness/contract-only-server.ts';
import type { TestServer } from '../harness/server.ts';

/** The data stored by a server of either kind. Hashes are SHA-256 of the bytes as received. */
export interface Stored {
  rows(resource: ResourceName): readonly Readonly<Record<string, unknown>>[];
  imageHashes(resource: ResourceName, recordId: number): string[];
  fileHash(name: unknown): string | undefined;
}

export function storedBy(server: TestServer): Stored {
  const { data } = server;
  return {
    rows: (resource) => data.rows(resource),
    imageHashes: (resource, recordId) => data.imageHashes(resource, recordId),
    fileHash: (name) => data.receivedHash(name),
  };
}

export function storedByBackend(backend: ContractOnlyBackend): Stored {
  const fileHash = (name: unknown) => backend.file(String(name))?.sha256;
  return {
    rows: (resource) => backend.rows(resource),
    imageHashes: (resource, recordId) => backend.images(resource, recordId).map(({ image }) => fileHash(image) ?? ''),
    fileHash,
  };
}
