import { create } from 'zustand';
import { usePreferences } from './preferences.ts';

/** Chromium's install prompt event (https://web.dev/articles/customize-install). TypeScript's library lacks it. */
interface InstallEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** How the app can be installed: by prompt, by hand (iPad, iPhone), or not at all. */
export type InstallWay = 'ask' | 'by-hand' | 'none';

/** How long the hint stays hidden after "Not now". Milliseconds. */
const RESPITE = 60 * 24 * 60 * 60 * 1000;

const useOffer = create<{ event: InstallEvent | undefined }>()(() => ({ event: undefined }));

/** Keeps the browser's install prompt for later. Call it at the start: the browser fires the event once. */
export function followInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    useOffer.setState({ event: event as InstallEvent });
  });
  window.addEventListener('appinstalled', () => useOffer.setState({ event: undefined }));
}

/** How to install from here. `none` while the hint is postponed. */
export function useInstallWay(): InstallWay {
  const event = useOffer((offer) => offer.event);
  const putOff = usePreferences(({ installHintAfter }) => Date.now() < installHintAfter);
  if (putOff || isInstalled()) return 'none';
  if (event !== undefined) return 'ask';
  return isApplePortable() ? 'by-hand' : 'none';
}

/** Shows the browser's prompt. A refusal counts as "Not now". */
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

/** iPads identify as Macs, but Macs have no touch screen. */
function isApplePortable(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPad|iPhone/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}
