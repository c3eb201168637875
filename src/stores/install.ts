import { create } from 'zustand';
import { usePreferences } from './preferences.ts';

/** Chromium's event that offers to install (https://web.dev/articles/customize-install); not in TypeScript's library. */
interface InstallEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** How the app can get onto this device's home screen: by asking, by hand (iPad, iPhone), or not from here. */
export type InstallWay = 'ask' | 'by-hand' | 'none';

/** After a "Not now" the hint stays away this long. Milliseconds. */
const RESPITE = 60 * 24 * 60 * 60 * 1000;

const useOffer = create<{ event: InstallEvent | undefined }>()(() => ({ event: undefined }));

/** Keeps the browser's offer until it is wanted. To be called at the start: it is made once. */
export function followInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    useOffer.setState({ event: event as InstallEvent });
  });
  window.addEventListener('appinstalled', () => useOffer.setState({ event: undefined }));
}

/** How to install from here, as long as it was not put off. */
export function useInstallWay(): InstallWay {
  const event = useOffer((offer) => offer.event);
  const putOff = usePreferences(({ installHintAfter }) => Date.now() < installHintAfter);
  if (putOff || isInstalled()) return 'none';
  if (event !== undefined) return 'ask';
  return isApplePortable() ? 'by-hand' : 'none';
}

/** Lets the browser ask; a refusal counts as "Not now". */
export async function install(): Promise<void> {
  const { event } = useOffer.getState();
  useOffer.setState({ event: undefined });
  const answer = await event?.prompt();
  if (answer?.outcome === 'dismissed') putOffInstalling();
}

/** "Not now". */
export function putOffInstalling(): void {
  usePreferences.setState({ installHintAfter: Date.now() + RESPITE });
}

function isInstalled(): boolean {
  return window.matchMedia?.('(display-mode: standalone)').matches ?? false;
}

/** iPads say they are Macs; Macs have no touch screens. */
function isApplePortable(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPad|iPhone/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}
