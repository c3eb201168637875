import { createTheme } from '@mui/material/styles';
import { components } from './components.ts';
import { MOTION } from '../../ui/tokens.ts';
import { DARK, LIGHT } from './palette.ts';

// System fonts: no download, and native on every platform.
const FONTS =
  'system-ui, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/**
 * The theme, with both schemes as CSS variables (`--vd-…`), so that a switch repaints without a render. The attribute
 * `data-scheme` on the root element selects the scheme. src/ui/tokens.ts names the variables.
 */
export const theme = createTheme({
  cssVariables: { cssVarPrefix: 'vd', colorSchemeSelector: 'data-scheme' },
  colorSchemes: { light: { palette: LIGHT }, dark: { palette: DARK } },
  shape: { borderRadius: 10 },
  breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
  typography: {
    fontFamily: FONTS,
    h1: {
      fontSize: 'clamp(1.375rem, 1.1rem + 1.2vw, 1.875rem)',
      fontWeight: 700,
      lineHeight: 1.2,
      letterSpacing: '-0.022em',
    },
    h2: { fontSize: '1.25rem', fontWeight: 600, lineHeight: 1.3, letterSpacing: '-0.014em' },
    h3: { fontSize: '1.0625rem', fontWeight: 600, lineHeight: 1.35, letterSpacing: '-0.008em' },
    body1: { fontSize: '0.9375rem', lineHeight: 1.55 },
    body2: { fontSize: '0.875rem', lineHeight: 1.5 },
    caption: { fontSize: '0.8125rem', lineHeight: 1.45 },
    button: { textTransform: 'none', fontWeight: 600 },
  },
  // Dialogs, menus and colours appear as fast as they disappear.
  transitions: {
    duration: {
      shortest: MOTION,
      shorter: MOTION,
      short: MOTION,
      standard: MOTION,
      complex: MOTION,
      enteringScreen: MOTION,
      leavingScreen: MOTION,
    },
    getAutoHeightDuration: () => MOTION,
  },
  components,
});
