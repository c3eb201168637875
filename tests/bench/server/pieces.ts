import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PIECE_TYPE, STAGING_PATH, TUS_VERSION } from '../../../src/domain/protocol/staging.ts';
import { pdf } from '../../harness/sample-files.ts';
import { TestServer } from '../../harness/server.ts';
import { alternate } from '../kit/alternate.ts';
import { Client } from '../kit/client.ts';
import { signIn } from '../kit/sign-in.ts';

const RUNS = 5;
const FILE_BYTES = 9_000_000;
const PIECE_BYTES = 256 * 1024;
const TUS = { 'tus-resumable': TUS_VERSION };

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** A new file, so that the server has no copy of it. */
function fresh(run: number) {
  return pdf('catalogue.pdf', run, FILE_BYTES);
}

async function stage(client: Client, { buffer, sha256 }: ReturnType<typeof fresh>): Promise<void> {
  const hash = Buffer.from(sha256).toString('base64');
  const upload = { 'upload-length': `${buffer.length}`, 'upload-metadata': `sha256 ${hash}`, 'content-length': '0' };
  await client.send('POST', STAGING_PATH, { ...TUS, ...upload });
  for (let offset = 0; offset < buffer.length; offset += PIECE_BYTES) {
    const piece = buffer.subarray(offset, offset + PIECE_BYTES);
    const more = { 'content-type': PIECE_TYPE, 'upload-offset': `${offset}`, 'content-length': `${piece.length}` };
    const { status } = await client.send('PATCH', `${STAGING_PATH}/${sha256}`, { ...TUS, ...more }, piece);
    if (status !== 204) throw new Error(`A piece was answered ${status}.`);
  }
}

/** Writes and flushes the same bytes piece by piece: the unavoidable minimum. */
async function writeAlone(folder: string, { buffer }: ReturnType<typeof fresh>): Promise<void> {
  const file = await open(join(folder, 'alone'), 'w');
  for (let offset = 0; offset < buffer.length; offset += PIECE_BYTES) {
    await file.write(buffer.subarray(offset, offset + PIECE_BYTES));
    await file.sync();
  }
  await file.close();
}

/** A catalogue of 9 MB in pieces, each flushed to disk before its answer. */
export const pieces = {
  name: 'pieces',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'voltdesk-bench-'));
    const server = await TestServer.start({ settings: { LOG_LEVEL: 'error' } });
    const client = new Client(server.origin, await signIn(server.origin));
    const files = Array.from({ length: RUNS }, (_, run) => fresh(run));
    let run = 0;
    const times = await alternate(RUNS, {
      ours: () => timed(() => stage(client, files[run++] ?? fresh(run))),
      bare: () => timed(() => writeAlone(folder, files[0] ?? fresh(0))),
    });
    client.close();
    await server.remove();
    rmSync(folder, { recursive: true });
    const against = { name: 'writing and flushing alone', sample: times.bare };
    return [{ what: '9 MB staged in pieces of 256 kB', unit: 'ms', ours: times.ours, against }] as const;
  },
};
