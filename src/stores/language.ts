import { firstSpoken, isLanguage, type Language, loadLanguage } from '../language/languages.ts';
import { usePreferences } from './preferences.ts';
import { isFormInUse } from './unsaved.ts';

/** The language last chosen on this device, for the sign-in and for users without a choice of their own. */
const DEVICE_KEY = 'voltdesk.language';

/** The user's own choice, else the device's, else the first of the browser's languages that the app supports. */
export function wantedLanguage(): Language {
  const kept = localStorage.getItem(DEVICE_KEY);
  return usePreferences.getState().language ?? (isLanguage(kept) ? kept : firstSpoken(navigator.languages));
}

/** Loads the language before the first paint. Developers choose one with `?language=xa` in the address. */
export async function speakLanguage(): Promise<void> {
  const asked = new URLSearchParams(location.search).get('language');
  if (isLanguage(asked)) chooseLanguage(asked);
  await loadLanguage(wantedLanguage());
}

/**
 * Rendered texts do not change their language, so the page reloads when another one is wanted. Another tab may ask for it: a
 * form in use stays in its language.
 */
export function followLanguage(): void {
  const spoken = wantedLanguage();
  usePreferences.subscribe(() => {
    if (wantedLanguage() !== spoken && !isFormInUse()) location.reload();
  });
}

/** Stores the choice for the signed-in user and for the sign-in on this device. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(DEVICE_KEY, language);
  usePreferences.setState({ language });
}
