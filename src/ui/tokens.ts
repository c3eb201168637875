/**
 * The colours of both schemes by role. Each is a CSS variable that the theme sets (src/app/theme), so that switching between
 * light and dark repaints without rendering, and a piece of the page can be drawn without knowing the theme.
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

/** That colour laid thinly over another: `tint(colour.brand, 8)` is a pale brand wash. `strength` in percent. */
export function tint(ink: string, strength: number, ground = 'transparent'): string {
  return `color-mix(in srgb, ${ink} ${strength}%, ${ground})`;
}

/** Height of the top bar (src/app/boot.css), which stays in sight: what sticks or is scrolled to stands below it. */
export const TOP_BAR = 'var(--vd-top-bar)';

/** Height of the line that the page's heading stands on: it stays in sight, and toasts lie over it. */
export const PAGE_HEAD = 'var(--vd-page-head)';

/** The sidebar's own colours (src/app/boot.css): it is dark in both schemes. */
export const navColour = {
  ground: 'var(--vd-nav-ground)',
  raised: 'var(--vd-nav-raised)',
  line: 'var(--vd-nav-line)',
  text: 'var(--vd-nav-text)',
  quiet: 'var(--vd-nav-quiet)',
  mark: 'var(--vd-nav-mark)',
} as const;

/** How long a move takes. Milliseconds: a longer one is waited for, not seen (docs/decisions/0040-type-is-the-systems.md). */
export const MOTION = 180;
