import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app/boot.css';
import { App } from './app/app.tsx';
import { startBackground } from './app/background.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
startBackground();
