/**
 * The colours of both schemes, by role. Each is a CSS variable set by the theme (src/app/theme), so that a switch between light and
 * dark repaints without a render, and components need no theme object.
 */
export const colour = {
  text: 'var(--vd-palette-text-primary)',
  quietText: 'var(--vd-palette-text-secondary)',
  page: 'var(--vd-palette-background-default)',
  surface: 'var(--vd-palette-background-paper)',
  line: 'var(--vd-palette-divider)',
  brand: 'var(--vd-palette-primary-main)',
  onBrand: 'var(--vd-palette-primary-contrastText)',
  accent: 'var(--vd-palette-secondary-main)',
  good: 'var(--vd-palette-success-main)',
  caution: 'var(--vd-palette-warning-main)',
  bad: 'var(--vd-palette-error-main)',
  info: 'var(--vd-palette-info-main)',
} as const;

/** Mixes a colour thinly into another: `tint(colour.brand, 8)` is a pale brand tint. `strength` is in percent. */
export function tint(ink: string, strength: number, ground = 'transparent'): string {
  return `color-mix(in srgb, ${ink} ${strength}%, ${ground})`;
}

/** Height of the sticky top bar (src/app/boot.css). Sticky elements and scroll targets are placed below it. */
export const TOP_BAR = 'var(--vd-top-bar)';

/** Height of the sticky bar with the page heading. Toasts overlay it. */
export const PAGE_HEAD = 'var(--vd-page-head)';

/** The colours of the sidebar (src/app/boot.css), which is dark in both schemes. */
export const navColour = {
  ground: 'var(--vd-nav-ground)',
  raised: 'var(--vd-nav-raised)',
  line: 'var(--vd-nav-line)',
  text: 'var(--vd-nav-text)',
  quiet: 'var(--vd-nav-quiet)',
  mark: 'var(--vd-nav-mark)',
} as const;

/** Duration of animations. Milliseconds. Longer ones are perceived as waiting (docs/decisions/0040-type-is-the-systems.md). */
export const MOTION = 180;
