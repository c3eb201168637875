import { NEEDS_SIGN_IN } from '../../domain/messages.ts';
import type { QueuePause } from '../../domain/outbox/vocabulary.ts';
import { perLocale } from '../../language/format.ts';
import { locale, say, t } from '../../language/t.ts';

/** Everything the status chip reports. */
export interface Situation {
  /** The browser reports a network connection. */
  readonly radio: boolean;
  /** There is a network, and the server answered this page's last request or has not had one yet. */
  readonly online: boolean;
  /** There is a network, and the server has not answered yet. */
  readonly unsure?: boolean;
  /** A captive portal answered this page instead of the server. */
  readonly portal?: boolean;
  /** The server no longer accepts the session. */
  readonly sessionEnded: boolean;
  /** The browser has deleted the outbox, and the user has not acknowledged it yet. */
  readonly lost?: boolean;
  readonly pause?: QueuePause | undefined;
  /** The change in flight and the total count. `share` is the uploaded share of all bytes, 0 to 1, if there are many. */
  readonly sending?: { readonly current: number; readonly total: number; readonly share?: number } | undefined;
  /** Number of changes that will be sent automatically. */
  readonly waiting: number;
  /** How many of those wait for Wi-Fi. */
  readonly forWifi?: number;
  /** How many of those the server answered with an error of its own. */
  readonly failing?: number;
  /** Number of changes that need the administrator. */
  readonly needAttention: number;
  /** Number of confirmed changes that the server no longer knows. */
  readonly forgotten?: number;
}

export interface Status {
  readonly tone: 'good' | 'busy' | 'offline' | 'attention';
  readonly words: string;
}

/** The chip's text: what the administrator has to do comes first, then what is happening. */
export function statusOf(situation: Situation): Status {
  const { radio, online, pause, sending, waiting, needAttention } = situation;
  if (situation.lost) return { tone: 'attention', words: joined(t('Changes were lost'), waitingWords(waiting)) };
  if (situation.sessionEnded || pause?.cause === 'signed-out') {
    return { tone: 'attention', words: t('Sign in to send') };
  }
  // A change that the server keeps failing at is retried, which is no progress.
  if (radio && waiting > 0 && situation.failing === waiting && needAttention === 0)
    return { tone: 'offline', words: joined(t('Server error'), waitingWords(waiting)) };
  // The sender sends only once it has reached the server, so its state outranks the page's last answer.
  if (sending !== undefined && radio) return { tone: 'busy', words: sendingWords(sending) };
  if (radio && (situation.portal || pause?.portal)) {
    return { tone: 'offline', words: joined(say(NEEDS_SIGN_IN), waitingWords(waiting)) };
  }
  if (!online || pause?.cause === 'unreachable') {
    return { tone: 'offline', words: joined(t('Offline'), waitingWords(waiting), attentionWords(needAttention)) };
  }
  if (needAttention > 0) return { tone: 'attention', words: attentionWords(needAttention) };
  if ((situation.forgotten ?? 0) > 0)
    return { tone: 'attention', words: t('{count} not on the server', { count: situation.forgotten ?? 0 }) };
  if (situation.unsure) return { tone: 'busy', words: joined(t('Connecting…'), waitingWords(waiting)) };
  // nothing is in flight, so pending changes must not look busy
  if (waiting > 0 && situation.forWifi === waiting)
    return { tone: 'good', words: t('{waiting} waiting for Wi-Fi', { waiting }) };
  return { tone: waiting > 0 ? 'busy' : 'good', words: joined(t('Online'), waitingWords(waiting)) };
}

const percents = perLocale((tag) => new Intl.NumberFormat(tag, { style: 'percent' }));

function sendingWords({ current, total, share }: NonNullable<Situation['sending']>): string {
  return joined(
    t('Sending {current} of {total}', { current, total }),
    share === undefined ? '' : percents(locale()).format(Math.floor(share * 100) / 100),
  );
}

function waitingWords(waiting: number): string {
  return waiting > 0 ? t('{waiting} waiting', { waiting }) : '';
}

function attentionWords(count: number): string {
  if (count === 0) return '';
  return t('{count, plural, one {# needs attention} other {# need attention}}', { count });
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
