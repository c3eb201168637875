/** Sizes, times and ages as people say them. Times are epoch milliseconds, sizes bytes; `now` is given by the caller. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const thousands = new Intl.NumberFormat('en-GB');

/** "940 bytes", "12 kB", "3.4 MB". */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  if (bytes < 999_950_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** "10:42". */
export function formatTime(at: number): string {
  return clock.format(at);
}

/** "3 Nov", or "3 Nov 2025" when it is not this year. */
function formatDate(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? shortDay : longDay).format(at);
}

/** "10:42" today, "yesterday 10:42", "3 Nov, 10:42" before that. */
export function formatMoment(at: number, now: number): string {
  const daysAgo = Math.round((midnight(now) - midnight(at)) / DAY);
  if (daysAgo <= 0) return formatTime(at);
  if (daysAgo === 1) return `yesterday ${formatTime(at)}`;
  return `${formatDate(at, now)}, ${formatTime(at)}`;
}

/** "29 Nov, 10:42": until when something holds. */
export function formatDeadline(at: number): string {
  return `${shortDay.format(at)}, ${formatTime(at)}`;
}

/** "Today", "Yesterday", "3 Nov" before that. */
export function formatDay(at: number, now: number): string {
  const daysAgo = Math.round((midnight(now) - midnight(at)) / DAY);
  if (daysAgo <= 0) return 'Today';
  return daysAgo === 1 ? 'Yesterday' : formatDate(at, now);
}

/** "just now", "4 min", "3 h", "2 days": how long ago something happened. */
export function formatAge(at: number, now: number): string {
  const age = Math.max(0, now - at);
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h`;
  return formatCount(Math.floor(age / DAY), 'day');
}

/** "1 change", "12 changes", "1,204 rows"; `many` where an s is not enough. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** "1,204". */
export function formatNumber(count: number): string {
  return thousands.format(count);
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
