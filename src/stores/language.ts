import { firstSpoken, isLanguage, type Language, loadLanguage } from '../language/languages.ts';
import { usePreferences } from './preferences.ts';
import { useSession } from './session.ts';
import { isFormInUse } from './unsaved.ts';

/** The language last chosen on this device, for the sign-in and for users without a choice of their own. */
const DEVICE_KEY = 'voltdesk.language';

/** The language of the rendered texts. Undefined before the first paint. */
let spoken: Language | undefined;

const isSignedIn = () => useSession.getState().token !== undefined;

/** The user's own choice, else the device's, else the first of the browser's languages that the app supports. */
export function wantedLanguage(): Language {
  const own = isSignedIn() ? usePreferences.getState().language : undefined;
  const kept = localStorage.getItem(DEVICE_KEY);
  return own ?? (isLanguage(kept) ? kept : firstSpoken(navigator.languages));
}

/** The language on the screen. After a log-out it may still be the user's. */
export function spokenLanguage(): Language {
  return spoken ?? wantedLanguage();
}

/** Loads the language before the first paint. Developers choose one with `?language=xa` in the address. */
export async function speakLanguage(): Promise<void> {
  const asked = new URLSearchParams(location.search).get('language');
  if (isLanguage(asked)) chooseLanguage(asked);
  await loadLanguage(wantedLanguage());
}

/**
 * Rendered texts do not change their language, so the page reloads when another one is wanted. Another tab may ask for it: a
 * form in use stays in its language. A log-out reloads nothing, because it is still under way: the next user's sign-in does.
 */
export function followLanguage(): void {
  spoken = wantedLanguage();
  usePreferences.subscribe(() => {
    if (isSignedIn()) reloadForAnother();
  });
}

function reloadForAnother(): void {
  if (spoken !== undefined && wantedLanguage() !== spoken && !isFormInUse()) location.reload();
}

/** Stores the choice for the signed-in user, if any, and for the sign-in on this device. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(DEVICE_KEY, language);
  if (isSignedIn()) usePreferences.setState({ language });
  else reloadForAnother();
}
