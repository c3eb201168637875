import { firstSpoken, isLanguage, type Language, loadLanguage } from '../language/languages.ts';
import { usePreferences } from './preferences.ts';

/** The language chosen last on this device: that of the sign-in, and of whoever has chosen none. */
const DEVICE_KEY = 'voltdesk.language';

/** The person's own choice, else the device's, else the first of the browser's languages that the app speaks. */
export function wantedLanguage(): Language {
  const kept = localStorage.getItem(DEVICE_KEY);
  return usePreferences.getState().language ?? (isLanguage(kept) ? kept : firstSpoken(navigator.languages));
}

/** Loads what the page is to speak, before anything is painted. An address with `?language=xa` chooses, for developers. */
export async function speakLanguage(): Promise<void> {
  const asked = new URLSearchParams(location.search).get('language');
  if (isLanguage(asked)) chooseLanguage(asked);
  await loadLanguage(wantedLanguage());
}

/** Texts that are on the screen do not change their language: where somebody else's is wanted, the page opens anew. */
export function followLanguage(): void {
  const spoken = wantedLanguage();
  usePreferences.subscribe(() => {
    if (wantedLanguage() !== spoken) location.reload();
  });
}

/** Keeps the choice, for who is signed in and for the sign-in on this device. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(DEVICE_KEY, language);
  usePreferences.setState({ language });
}
