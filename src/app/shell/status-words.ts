import { NEEDS_SIGN_IN } from '../../domain/messages.ts';
import type { QueuePause } from '../../domain/outbox/vocabulary.ts';
import { say, t } from '../../language/t.ts';

/** What the status chip speaks of. */
export interface Situation {
  /** The browser has a radio. */
  readonly radio: boolean;
  /** It has, and the server answered this page the last time it was asked, or was not asked yet. */
  readonly online: boolean;
  /** It has, and the server has not answered yet. */
  readonly unsure?: boolean;
  /** A network's sign-in page answered this page in its place. */
  readonly portal?: boolean;
  /** The server no longer takes the session. */
  readonly sessionEnded: boolean;
  /** The browser has thrown the outbox away, and nobody has read that yet. */
  readonly lost?: boolean;
  readonly pause?: QueuePause | undefined;
  /** Which one of how many is on its way, and how much of all their bytes has arrived, from 0 to 1, where that takes a while. */
  readonly sending?: { readonly current: number; readonly total: number; readonly share?: number } | undefined;
  /** Changes that leave by themselves. */
  readonly waiting: number;
  /** How many of those wait for Wi-Fi. */
  readonly forWifi?: number;
  /** Changes that need the administrator. */
  readonly needAttention: number;
}

export interface Status {
  readonly tone: 'good' | 'busy' | 'offline' | 'attention';
  readonly words: string;
}

/** The chip's one line: what the administrator has to do comes first, then what is going on. */
export function statusOf(situation: Situation): Status {
  const { radio, online, pause, sending, waiting, needAttention } = situation;
  if (situation.lost) return { tone: 'attention', words: joined(t('Changes were lost'), waitingWords(waiting)) };
  if (situation.sessionEnded || (pause?.cause === 'signed-out' && waiting > 0)) {
    return { tone: 'attention', words: t('Sign in to send') };
  }
  // Nothing goes out before the sender has found the server: it knows more than the page's last answer, or its absence.
  if (sending !== undefined && radio) return { tone: 'busy', words: sendingWords(sending) };
  if (radio && (situation.portal || pause?.portal)) {
    return { tone: 'offline', words: joined(say(NEEDS_SIGN_IN), waitingWords(waiting)) };
  }
  if (!online || pause?.cause === 'unreachable') {
    return { tone: 'offline', words: joined(t('Offline'), waitingWords(waiting), attentionWords(needAttention)) };
  }
  if (needAttention > 0) return { tone: 'attention', words: attentionWords(needAttention) };
  if (situation.unsure) return { tone: 'busy', words: joined(t('Connecting…'), waitingWords(waiting)) };
  // nothing is under way: what waits is not to look as if it were
  if (waiting > 0 && situation.forWifi === waiting)
    return { tone: 'good', words: t('{waiting} waiting for Wi-Fi', { waiting }) };
  return { tone: waiting > 0 ? 'busy' : 'good', words: joined(t('Online'), waitingWords(waiting)) };
}

function sendingWords({ current, total, share }: NonNullable<Situation['sending']>): string {
  return joined(
    t('Sending {current} of {total}', { current, total }),
    share === undefined ? '' : `${Math.floor(share * 100)} %`,
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
