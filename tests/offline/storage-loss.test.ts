import { expect, test } from 'vitest';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import { outboxWasWiped } from '../../src/offline/storage/storage-loss.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';
import { generatorDraft } from './support/drafts.ts';

const ABOUT = { administrator: '1', title: 'A generator' };

function device(): Device {
  return new Device(contractOnlyBackend());
}

/** The same device after its browser has thrown the databases away: only what is noted elsewhere is left. */
function wiped(before: Device): Device {
  const after = device();
  for (const [key, value] of before.notes) after.notes.set(key, value);
  return after;
}

test('an outbox that was never used, or is still there, was not wiped', async () => {
  const tablet = device();
  expect(await outboxWasWiped(tablet.environment())).toBe(false);
  await enqueue(tablet.environment(), generatorDraft('kept'), ABOUT);
  expect(await outboxWasWiped(tablet.environment())).toBe(false);
});

test('a wiped outbox is told once', async () => {
  const tablet = device();
  await enqueue(tablet.environment(), generatorDraft('lost'), ABOUT);
  const page = wiped(tablet).environment();
  expect(await outboxWasWiped(page)).toBe(true);
  expect(await outboxWasWiped(page)).toBe(false);
});

test('a wiped outbox is told also when something was saved since', async () => {
  const tablet = device();
  await enqueue(tablet.environment(), generatorDraft('lost'), ABOUT);
  const later = wiped(tablet);
  await enqueue(later.environment(), generatorDraft('new'), ABOUT);
  expect(await outboxWasWiped(later.environment())).toBe(true);
  expect(await outboxWasWiped(later.environment())).toBe(false);
});

test('a second loss is told as well', async () => {
  const tablet = device();
  await enqueue(tablet.environment(), generatorDraft('first'), ABOUT);
  const second = wiped(tablet);
  const page = second.environment();
  expect(await outboxWasWiped(page)).toBe(true);
  await enqueue(page, generatorDraft('second'), ABOUT);
  expect(await outboxWasWiped(wiped(second).environment())).toBe(true);
});
