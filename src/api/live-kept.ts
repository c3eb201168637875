import { type Live, useLive } from '../stores/live-value.ts';
import { type KeptState, keptState } from './kept.ts';
import { live } from './live-query.ts';

const liveKept: Live<KeptState> = live(() => keptState());

/** What this device keeps of the signed-in user's confirmed changes. Undefined until the device has answered. */
export function useKept(): KeptState | undefined {
  return useLive(liveKept);
}
