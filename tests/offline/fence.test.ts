import { expect, test } from 'vitest';
import { asOnlySender, checkFence, FencedOffError } from '../../src/offline/sender/lease.ts';
import { transact } from '../../src/offline/storage/transactions.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';

function check(page: Environment, fence: number): Promise<unknown> {
  return transact(page.outbox, 'r', [page.outbox.meta], () => checkFence(page, fence));
}

test('an older fence of the same page blocks every write', async () => {
  const page = new Device(contractOnlyBackend()).environment();
  const older = (await asOnlySender(page, async (fence) => fence)) ?? 0;
  await asOnlySender(page, async (fence) => {
    await expect(check(page, older)).rejects.toThrow(FencedOffError);
    await expect(check(page, fence)).resolves.toMatchObject({ fence });
  });
});

test('the fence of one page does not apply to another', async () => {
  const device = new Device(contractOnlyBackend());
  const [page, worker] = [device.environment(), device.environment()];
  await asOnlySender(page, async (fence) => {
    await expect(check(worker, fence)).rejects.toThrow(FencedOffError);
  });
});

test('nothing is written when no sender was ever active', async () => {
  const page = new Device(contractOnlyBackend()).environment();
  await expect(check(page, 1)).rejects.toThrow(FencedOffError);
});
