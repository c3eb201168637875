import { test } from '../harness/world.ts';
import { expectArrival, type State } from './steps/killed.ts';

const STATES: readonly State[] = [
  'waits behind a change that found no server',
  'was cut within its body',
  'was told to wait',
  'was just answered',
];

for (const state of STATES) {
  test(`a change that ${state} when the browser is killed arrives once and whole`, async ({ device, world }) => {
    await expectArrival(state, device, world);
  });
}
