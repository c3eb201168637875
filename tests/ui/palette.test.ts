import { describe, expect, it } from 'vitest';
import { DARK, LIGHT } from '../../src/app/theme/palette.ts';

const INKS = ['primary', 'secondary', 'success', 'warning', 'error', 'info'] as const;

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('the %s scheme', (_, scheme) => {
  const grounds = Object.values(scheme.background);

  it.each(grounds)('keeps every text colour readable on %s', (ground) => {
    const texts = [...Object.values(scheme.text), ...INKS.map((ink) => scheme[ink].main)];
    expect(texts.filter((text) => contrast(text, ground) < 4.5)).toEqual([]);
  });

  it('keeps the words on filled buttons readable', () => {
    const faint = INKS.filter((ink) => contrast(scheme[ink].contrastText, scheme[ink].main) < 4.5);
    expect(faint).toEqual([]);
  });
});
