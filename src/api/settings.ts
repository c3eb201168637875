import { keepSettings } from '../stores/settings.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';

/** Refreshes the installation's settings. Without an answer the device's copy stays. */
export async function refreshSettings(): Promise<void> {
  try {
    const { body } = await get('/settings.json');
    if (typeof body === 'object' && body !== null) keepSettings(body as Record<string, unknown>);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
  }
}
