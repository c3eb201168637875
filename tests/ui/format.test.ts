// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { formatAge, formatCount, formatDay, formatMoment, formatSize } from '../../src/ui/format.ts';

const at = (text: string) => new Date(text).getTime();

describe('words for people', () => {
  it('writes sizes with the unit that fits', () => {
    expect([1, 940, 12_400, 3_440_000, 2_100_000_000].map(formatSize)).toEqual([
      '1 byte',
      '940 bytes',
      '12 kB',
      '3.4 MB',
      '2.1 GB',
    ]);
  });

  it('never writes a thousand kilobytes', () => {
    expect(formatSize(999_499)).toBe('999 kB');
    expect(formatSize(999_501)).toBe('1.0 MB');
  });

  it('names a day by how near it is', () => {
    const now = at('2026-11-22T10:00');
    expect(formatDay(at('2026-11-22T00:01'), now)).toBe('Today');
    expect(formatDay(at('2026-11-21T23:59'), now)).toBe('Yesterday');
    expect(formatDay(at('2026-11-20T23:59'), now)).toBe('20 Nov');
    expect(formatDay(at('2026-11-03T12:00'), now)).toBe('3 Nov');
  });

  it('names the day only where it is not today', () => {
    const now = at('2026-11-20T15:00');
    expect(formatMoment(at('2026-11-20T10:42'), now)).toBe('10:42');
    expect(formatMoment(at('2026-11-19T23:59'), now)).toBe('yesterday 23:59');
    expect(formatMoment(at('2026-11-18T23:59'), now)).toBe('18 Nov, 23:59');
    expect(formatMoment(at('2026-11-03T08:05'), now)).toBe('3 Nov, 08:05');
    expect(formatMoment(at('2025-11-03T08:05'), now)).toBe('3 Nov 2025, 08:05');
  });

  it('rounds ages down, and takes a clock that was set back for now', () => {
    const now = at('2026-11-20T15:00');
    const minutes = (count: number) => now - count * 60_000;
    expect([0.5, 4.9, 190, 3000, -10].map((age) => formatAge(minutes(age), now))).toEqual([
      'just now',
      '4 min',
      '3 h',
      '2 days',
      'just now',
    ]);
  });

  it('counts in the singular and the plural', () => {
    expect([formatCount(1, 'change'), formatCount(1204, 'row'), formatCount(2, 'entry', 'entries')]).toEqual([
      '1 change',
      '1,204 rows',
      '2 entries',
    ]);
  });
});
