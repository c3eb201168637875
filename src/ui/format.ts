import { perLocale } from '../language/format.ts';
import { locale, say, t } from '../language/t.ts';

/** Human-readable sizes, times and ages. Times are epoch milliseconds, sizes are bytes. The caller passes `now`. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = dates({ hour: '2-digit', minute: '2-digit' });
const shortDay = dates({ day: 'numeric', month: 'short' });
const longDay = dates({ day: 'numeric', month: 'short', year: 'numeric' });
const thousands = perLocale((tag) => new Intl.NumberFormat(tag));
const tenths = perLocale(
  (tag) => new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false }),
);

/** "940 bytes", "12 kB", "3.4 MB". */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return t('{bytes, plural, one {# byte} other {# bytes}}', { bytes });
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  if (bytes < 999_950_000) return `${tenths(locale()).format(bytes / 1_000_000)} MB`;
  return `${tenths(locale()).format(bytes / 1_000_000_000)} GB`;
}

/** "10:42". */
export function formatTime(at: number): string {
  return clock(locale()).format(at);
}

/** "3 Nov", or "3 Nov 2025" when it is not this year. */
function formatDate(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? shortDay : longDay)(locale()).format(at);
}

/** "10:42" today, "yesterday 10:42", or "3 Nov, 10:42" for earlier days. */
export function formatMoment(at: number, now: number): string {
  const daysAgo = Math.round((midnight(now) - midnight(at)) / DAY);
  if (daysAgo <= 0) return formatTime(at);
  if (daysAgo === 1) return t('yesterday {time}', { time: formatTime(at) });
  return `${formatDate(at, now)}, ${formatTime(at)}`;
}

/** "29 Nov, 10:42", for a deadline. */
export function formatDeadline(at: number): string {
  return `${shortDay(locale()).format(at)}, ${formatTime(at)}`;
}

/** "Today", "Yesterday", or "3 Nov" for earlier days. */
export function formatDay(at: number, now: number): string {
  const daysAgo = Math.round((midnight(now) - midnight(at)) / DAY);
  if (daysAgo <= 0) return t('Today');
  return daysAgo === 1 ? t('Yesterday') : formatDate(at, now);
}

/** The age of an event: "just now", "4 min", "3 h", "2 days". */
export function formatAge(at: number, now: number): string {
  const age = Math.max(0, now - at);
  if (age < MINUTE) return t('just now');
  if (age < HOUR) return t('{minutes} min', { minutes: Math.floor(age / MINUTE) });
  if (age < DAY) return `${Math.floor(age / HOUR)} h`;
  return t('{days, plural, one {# day} other {# days}}', { days: Math.floor(age / DAY) });
}

/** "just now", "4 min ago", "2 days ago". */
export function formatAgo(at: number, now: number): string {
  const age = now - at;
  if (age < MINUTE) return t('just now');
  if (age < DAY) return t('{age} ago', { age: formatAge(at, now) });
  return t('{days, plural, one {# day ago} other {# days ago}}', { days: Math.floor(age / DAY) });
}

/** "1 change", "12 changes", "1,204 rows"; `many` is for an irregular plural. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${say(count === 1 ? one : many)}`;
}

/** "1,204". */
export function formatNumber(count: number): string {
  return thousands(locale()).format(count);
}

function dates(how: Intl.DateTimeFormatOptions) {
  return perLocale((tag) => new Intl.DateTimeFormat(tag, how));
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
