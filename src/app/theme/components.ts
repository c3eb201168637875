import type { Components, Theme } from '@mui/material/styles';
import { colour, tint, TOP_BAR } from '../../ui/tokens.ts';

/** Touch targets need 44 px; mouse targets do not. */
const TOUCH = '@media (pointer: coarse)';
const PHONE = '@media (max-width: 599.95px)';
/** A window that is low or zoomed in. */
const LOW = '@media (max-height: 480px)';
const FOCUS_RING = { outline: `2px solid ${colour.brand}`, outlineOffset: 2 };
const HAIRLINE = `1px solid ${colour.line}`;

/** Styles of the MUI components: flat and rounded, with hairlines instead of shadows. */
export const components: Components<Theme> = {
  MuiButtonBase: {
    // The focus ring and the background change are enough feedback; ripples only delay.
    defaultProps: { disableRipple: true },
    styleOverrides: { root: { '&.Mui-focusVisible': FOCUS_RING } },
  },
  MuiButton: {
    defaultProps: { disableElevation: true },
    styleOverrides: {
      root: {
        minHeight: 40,
        padding: '6px 16px',
        borderRadius: 10,
        textTransform: 'none',
        fontWeight: 600,
        fontSize: '0.9375rem',
        [TOUCH]: { minHeight: 44 },
      },
      outlined: { borderColor: colour.line },
    },
    variants: [
      { props: { size: 'large' }, style: { minHeight: 48, fontSize: '1rem' } },
      { props: { size: 'small' }, style: { minHeight: 34, padding: '3px 12px', fontSize: '0.875rem' } },
    ],
  },
  MuiIconButton: {
    styleOverrides: { root: { borderRadius: 10, [TOUCH]: { minWidth: 44, minHeight: 44 } } },
  },
  MuiCheckbox: { styleOverrides: { root: { borderRadius: 10, [TOUCH]: { minWidth: 44, minHeight: 44 } } } },
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiDialog: {
    styleOverrides: {
      paper: {
        border: HAIRLINE,
        borderRadius: 20,
        padding: '8px 4px',
        boxShadow: '0 24px 64px #0006',
        [PHONE]: { margin: 10, width: 'calc(100% - 20px)', maxHeight: 'calc(100% - 20px)' },
        // In a low window the whole dialog scrolls, because heading and buttons would leave no space for the content.
        [LOW]: { display: 'block', overflowY: 'auto', '& .MuiDialogContent-root': { overflowY: 'visible' } },
      },
    },
  },
  MuiDialogTitle: {
    styleOverrides: {
      root: { fontSize: '1.25rem', fontWeight: 600, letterSpacing: '-0.01em', [PHONE]: { paddingInline: 16 } },
    },
  },
  MuiDialogContent: { styleOverrides: { root: { [PHONE]: { paddingInline: 16 } } } },
  MuiDialogActions: {
    styleOverrides: {
      root: {
        padding: '8px 20px 16px',
        gap: 4,
        flexWrap: 'wrap',
        [PHONE]: {
          padding: '8px 12px 12px',
          gap: 8,
          '& > :not(style)': { flex: '1 1 auto' },
          '& > :not(style) ~ :not(style)': { marginLeft: 0 },
        },
      },
    },
  },
  MuiBackdrop: {
    styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'rgb(4 22 27 / 0.55)' } } },
  },
  MuiTooltip: { styleOverrides: { tooltip: { borderRadius: 8, fontSize: '0.8125rem', padding: '6px 10px' } } },
  MuiLink: { defaultProps: { underline: 'hover' } },
  MuiCssBaseline: {
    styleOverrides: {
      // Focused elements scroll clear of the top bar. Screens with more sticky bars have their own rule.
      'main :is(a, button, input, select, textarea, summary)': { scrollMarginTop: `calc(${TOP_BAR} + 16px)` },
      ':focus-visible': { ...FOCUS_RING, borderRadius: 4 },
      // Below the top bar, so that a toast covers neither the status nor Log out.
      '.notistack-SnackbarContainer.notistack-SnackbarContainer': { top: `calc(${TOP_BAR} + 6px)` },
      '::selection': { backgroundColor: tint(colour.brand, 28) },
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': {
          animationDuration: '0.01ms !important',
          animationIterationCount: '1 !important',
          // Zero, because even a short transition delays every change by a frame, such as the space above a list's rows.
          transitionDuration: '0s !important',
          scrollBehavior: 'auto !important',
        },
      },
    },
  },
};
