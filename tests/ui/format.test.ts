import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  formatAge,
  formatAgo,
  formatCount,
  formatDay,
  formatDeadline,
  formatMoment,
  formatSize,
} from '../../src/ui/format.ts';

const at = (text: string) => new Date(text).getTime();

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('formatting', () => {
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

  it('names a day by its distance from today', () => {
    const now = at('2026-11-22T10:00');
    expect(formatDay(at('2026-11-22T00:01'), now)).toBe('Today');
    expect(formatDay(at('2026-11-21T23:59'), now)).toBe('Yesterday');
    expect(formatDay(at('2026-11-20T23:59'), now)).toBe('20 Nov');
    expect(formatDay(at('2026-11-03T12:00'), now)).toBe('3 Nov');
    expect(formatDay(at('2026-12-30T12:00'), at('2027-01-05T10:00'))).toBe('30 Dec 2026');
  });

  it('names the day only where it is not today', () => {
    const now = at('2026-11-20T15:00');
    expect(formatMoment(at('2026-11-20T10:42'), now)).toBe('10:42');
    expect(formatMoment(at('2026-11-19T23:59'), now)).toBe('yesterday 23:59');
    expect(formatMoment(at('2026-11-18T23:59'), now)).toBe('18 Nov, 23:59');
    expect(formatMoment(at('2026-11-03T08:05'), now)).toBe('3 Nov, 08:05');
    expect(formatMoment(at('2025-11-03T08:05'), now)).toBe('3 Nov 2025, 08:05');
  });

  it('rounds ages down, and shows “just now” for a clock that was set back', () => {
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

  it('switches to the next unit when one is full', () => {
    expect([999, 1000, 999_949_000, 999_951_000].map(formatSize)).toEqual(['999 bytes', '1 kB', '999.9 MB', '1.0 GB']);
    const ages = [59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 172_799_999, 172_800_000];
    expect(ages.map((age) => formatAge(0, age))).toEqual([
      'just now',
      '1 min',
      '59 min',
      '1 h',
      '23 h',
      '1 day',
      '1 day',
      '2 days',
    ]);
    expect(ages.map((age) => formatAgo(0, age))).toEqual([
      'just now',
      '1 min ago',
      '59 min ago',
      '1 h ago',
      '23 h ago',
      '1 day ago',
      '1 day ago',
      '2 days ago',
    ]);
  });

  it('says until when something holds, and shows “Today” for tomorrow if a clock was set back', () => {
    expect(formatDeadline(at('2026-11-29T10:42'))).toBe('29 Nov, 10:42');
    const now = at('2026-11-20T15:00');
    expect([formatMoment(at('2026-11-21T10:42'), now), formatDay(at('2026-11-21T10:42'), now)]).toEqual([
      '10:42',
      'Today',
    ]);
  });

  it('counts in the singular and the plural', () => {
    expect(formatCount(0, 'change')).toBe('0 changes');
    expect([formatCount(1, 'change'), formatCount(1204, 'row'), formatCount(2, 'entry', 'entries')]).toEqual([
      '1 change',
      '1,204 rows',
      '2 entries',
    ]);
  });

  it.each([
    ['shorter', '2026-03-29', '2026-03-30'],
    ['longer', '2026-10-25', '2026-10-26'],
  ])('calls the day before today yesterday when a clock change made it %s', (_, before, today) => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const now = at(`${today}T10:00`);
    expect([formatDay(at(`${before}T00:30`), now), formatDay(at(`${before}T23:30`), now)]).toEqual([
      'Yesterday',
      'Yesterday',
    ]);
    expect(formatMoment(at(`${before}T12:00`), now)).toMatch(/^yesterday /);
    expect(formatMoment(at(`${today}T00:30`), now)).not.toMatch(/yesterday/);
  });
});
