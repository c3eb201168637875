import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBucket } from '../../server/uploads/bucket.ts';

test('says soon that a bucket does not answer', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
  onTestFinished(() => void vi.unstubAllEnvs());
  const sockets = new Set<{ destroy(): void }>();
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const address = `s3://files?endpoint=http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const limits = { connectionTimeout: 60_000, socketTimeout: 60_000, firstLook: 50 };
  await expect(openBucket(address, limits)).rejects.toThrow(
    'The bucket files of UPLOADS_URL cannot be used: it does not answer.',
  );
});
