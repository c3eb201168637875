import { test } from '../harness/world.ts';
import { expectArrival, type State } from './steps/killed.ts';

const STATES: readonly State[] = ['is being sent', 'is stored by the server while the answer is on its way'];

for (const state of STATES) {
  test(`a change that ${state} when the browser is killed arrives once and whole`, async ({ device, world }) => {
    await expectArrival(state, device, world);
  });
}
