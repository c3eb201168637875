import CssBaseline from '@mui/material/CssBaseline';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/** Renders the page and caches its files, so that it opens offline too. */
export function mount(page: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root.');
  createRoot(root).render(
    <ThemeProvider theme={createTheme()}>
      <CssBaseline />
      {page}
    </ThemeProvider>,
  );
  void navigator.serviceWorker.register('/worker.js');
}
