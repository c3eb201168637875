import { useColorScheme } from '@mui/material/styles';
import { useEffect } from 'react';
import { DARK, LIGHT } from './palette.ts';

const COLOURS = { light: LIGHT.background.paper, dark: DARK.background.paper } as const;

/** Gives the browser's window frame the colour of the top bar, even if the chosen scheme differs from the device's. */
export function WindowColour(): null {
  const { colorScheme = 'light' } = useColorScheme();
  useEffect(() => {
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.setAttribute('content', COLOURS[colorScheme]);
    }
  }, [colorScheme]);
  return null;
}
