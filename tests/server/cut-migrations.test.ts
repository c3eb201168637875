import { expect, test } from 'vitest';
import { freshFolder } from './harness.ts';
import { cutAtEveryStatement, shapeOf } from './cut-migrations.ts';

test('starts on what a kill in the middle of the first migrations left', async () => {
  const left = await cutAtEveryStatement();
  const whole = await shapeOf(await freshFolder());
  expect(left.length).toBeGreaterThan(100);
  const some = [0.1, 0.4, 0.7, 0.95].map((part) => left[Math.floor(part * left.length)] ?? '');
  for (const dataDir of some) expect(await shapeOf(dataDir)).toEqual(whole);
});
