import { t } from '../language/t.ts';

/** The text for a picture that could not be loaded. With a connection, it is not this device that lacks it. */
export function missingWords(isOnline = navigator.onLine): string {
  return isOnline ? t('Not available') : t('Not on this device');
}
