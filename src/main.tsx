import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app/boot.css';
import { recoverSession } from './api/auth.ts';
import { App } from './app/app.tsx';
import { startBackground } from './app/background.ts';
import { loadFirstScreen } from './app/screens.tsx';
import { followLanguage, speakLanguage } from './stores/language.ts';
import { followInstallOffer } from './stores/install.ts';
import { followPerson } from './stores/follow-person.ts';
import { followComforts } from './stores/preferences.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

/** How long the first paint waits for the stored session. Milliseconds. */
const PATIENCE = 2000;

/** Starts the app. Loads the first screen before the first paint. If its code cannot be loaded, an error takes its place. */
async function open(container: HTMLElement): Promise<void> {
  followInstallOffer();
  followPerson();
  followComforts();
  const recovered = recoverSession().catch(cannotRecover);
  const spoken = speakLanguage();
  await Promise.all([
    Promise.race([recovered, waited(PATIENCE)]),
    loadFirstScreen().catch(() => undefined),
    spoken.catch(cannotSpeak),
  ]);
  followLanguage();
  createRoot(container).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  startBackground(recovered);
}

/** Returns true, so that the session in local storage stays and is not stored anew on a device that does not respond. */
function cannotRecover(failure: unknown): boolean {
  console.error('The device does not tell who is signed in.', failure);
  return true;
}

function cannotSpeak(failure: unknown): void {
  console.warn('The language is not on this device.', failure);
}

function waited(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

void open(root);
