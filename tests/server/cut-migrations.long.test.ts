import { expect, test } from 'vitest';
import { freshFolder } from './harness.ts';
import { cutAtEveryStatement, shapeOf } from './cut-migrations.ts';

test('starts on what a kill at any statement of the first migrations left', async () => {
  const whole = await shapeOf(await freshFolder());
  for (const dataDir of await cutAtEveryStatement()) expect(await shapeOf(dataDir)).toEqual(whole);
}, 300_000);
