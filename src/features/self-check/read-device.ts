import { device } from '../../api/device.ts';
import type { DeviceState } from './readiness.ts';

/** Reads what decides whether this device can work offline. What cannot be read is absent. */
export async function readDevice(): Promise<Omit<DeviceState, 'asked'>> {
  const [persistence, hasWorker, free] = await Promise.all([
    orUndefined(async () => (await device()).persistence()),
    orUndefined(hasActiveWorker),
    orUndefined(freeSpace),
  ]);
  return { persistence, hasWorker, free };
}

async function hasActiveWorker(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return Boolean(registration?.active);
}

/** The browser's estimate of what this app may still store. Bytes. */
async function freeSpace(): Promise<number | undefined> {
  const { usage, quota } = (await navigator.storage?.estimate?.()) ?? {};
  return usage === undefined || quota === undefined ? undefined : Math.max(0, quota - usage);
}

async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (failure) {
    console.warn('Cannot read a fact about this device.', failure);
    return undefined;
  }
}
