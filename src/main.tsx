import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app/boot.css';
import { recoverSession } from './api/auth.ts';
import { App } from './app/app.tsx';
import { startBackground } from './app/background.ts';
import { loadFirstScreen } from './app/screens.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

/** With its code at hand the first screen is in the first paint. What cannot be had is told where the screen would stand. */
async function open(container: HTMLElement): Promise<void> {
  await recoverSession().catch(() => undefined);
  await loadFirstScreen().catch(() => undefined);
  createRoot(container).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  startBackground();
}

void open(root);
