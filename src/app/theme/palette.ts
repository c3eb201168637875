import type { PaletteOptions } from '@mui/material/styles';

/**
 * Deep teal for actions, amber for marks. Every text colour has a contrast of at least 4.5 : 1 on both backgrounds of its
 * scheme (tests/ui/palette.test.ts).
 */
export const LIGHT = {
  primary: { main: '#0e5a69', dark: '#0a4450', light: '#3b8090', contrastText: '#ffffff' },
  secondary: { main: '#8f5207', dark: '#6e3e04', light: '#c57a1a', contrastText: '#ffffff' },
  success: { main: '#17703f', contrastText: '#ffffff' },
  warning: { main: '#8a5200', contrastText: '#ffffff' },
  error: { main: '#b3261e', contrastText: '#ffffff' },
  info: { main: '#1b5b9e', contrastText: '#ffffff' },
  text: { primary: '#10252b', secondary: '#4b6068' },
  background: { default: '#f3f6f6', paper: '#ffffff' },
  divider: '#dae3e4',
} as const satisfies PaletteOptions;

export const DARK = {
  primary: { main: '#7fd0dd', dark: '#5bb8c7', light: '#a6e2eb', contrastText: '#04252c' },
  secondary: { main: '#f3b755', dark: '#d9982e', light: '#f8d08f', contrastText: '#2b1a00' },
  success: { main: '#63d297', contrastText: '#03240f' },
  warning: { main: '#f0b75e', contrastText: '#2b1a00' },
  error: { main: '#ff8f85', contrastText: '#3b0603' },
  info: { main: '#8bbdf7', contrastText: '#031d3b' },
  text: { primary: '#e4edee', secondary: '#9db2b7' },
  background: { default: '#0b1518', paper: '#122024' },
  divider: '#24383e',
} as const satisfies PaletteOptions;
