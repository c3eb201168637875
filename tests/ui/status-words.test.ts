import { describe, expect, it } from 'vitest';
import { type Situation, statusOf } from '../../src/app/shell/status-words.ts';

const calm: Situation = { radio: true, online: true, sessionEnded: false, waiting: 0, needAttention: 0 };
const since = { since: 0, failures: 1 };

const words = (situation: Partial<Situation>) => statusOf({ ...calm, ...situation }).words;

describe('the status chip', () => {
  it('is green and says Online when nothing waits', () => {
    expect(statusOf(calm)).toEqual({ tone: 'good', words: 'Online' });
  });

  it('does not say Online before the server has answered', () => {
    expect(words({ unsure: true, waiting: 2 })).toBe('Connecting… · 2 waiting');
    expect(statusOf({ ...calm, unsure: true })).toEqual({ tone: 'busy', words: 'Connecting…' });
    expect(words({ unsure: true, needAttention: 1 })).toBe('1 needs attention');
    expect(words({ unsure: true, pause: { cause: 'unreachable', ...since }, waiting: 2 })).toBe('Offline · 2 waiting');
  });

  it('names a Wi-Fi that needs a sign-in, whoever has found it', () => {
    const pause = { cause: 'unreachable', portal: true, ...since } as const;
    expect(words({ pause, waiting: 2 })).toBe('This Wi-Fi needs a sign-in · 2 waiting');
    expect(words({ portal: true, online: false })).toBe('This Wi-Fi needs a sign-in');
    expect(words({ portal: true, online: false, radio: false })).toBe('Offline');
  });

  it('stays calm if all changes wait for Wi-Fi', () => {
    expect(statusOf({ ...calm, waiting: 2, forWifi: 2 })).toEqual({
      tone: 'good',
      words: '2 waiting for Wi-Fi',
    });
    expect(statusOf({ ...calm, waiting: 3, forWifi: 2 })).toEqual({ tone: 'busy', words: 'Online · 3 waiting' });
    expect(words({ waiting: 1, forWifi: 1, needAttention: 1 })).toBe('1 needs attention');
    expect(words({ waiting: 1, forWifi: 1, online: false })).toBe('Offline · 1 waiting');
  });

  it('reports a loss before everything else', () => {
    expect(statusOf({ ...calm, lost: true })).toEqual({ tone: 'attention', words: 'Changes were lost' });
    expect(words({ lost: true, waiting: 2, needAttention: 1, sessionEnded: true })).toBe(
      'Changes were lost · 2 waiting',
    );
  });

  it('says how many changes wait without a connection', () => {
    expect(words({ online: false, waiting: 3 })).toBe('Offline · 3 waiting');
    expect(words({ online: false })).toBe('Offline');
  });

  it('calls an unreachable server offline, even if the network is up', () => {
    expect(words({ pause: { cause: 'unreachable', ...since }, waiting: 2 })).toBe('Offline · 2 waiting');
  });

  it('does not count a change as being sent while the server keeps failing at it', () => {
    const sending = { current: 1, total: 1, share: 0.999 };
    expect(statusOf({ ...calm, sending, waiting: 1, failing: 1 })).toEqual({
      tone: 'offline',
      words: 'Server error · 1 waiting',
    });
    expect(words({ waiting: 2, failing: 2 })).toBe('Server error · 2 waiting');
    expect(words({ sending: { current: 1, total: 2 }, waiting: 2, failing: 1 })).toBe('Sending 1 of 2');
    expect(words({ waiting: 2, failing: 2, needAttention: 1 })).toBe('1 needs attention');
    expect(words({ waiting: 1, failing: 1, radio: false, online: false })).toBe('Offline · 1 waiting');
  });

  it('counts the changes being sent', () => {
    expect(words({ sending: { current: 2, total: 5 }, waiting: 4 })).toBe('Sending 2 of 5');
    expect(words({ sending: { current: 1, total: 1, share: 0.999 }, waiting: 1 })).toBe('Sending 1 of 1 · 99%');
  });

  it('trusts an active sender over the page’s last try, unless the network is down', () => {
    const sending = { current: 1, total: 3 };
    expect(words({ online: false, sending, waiting: 3 })).toBe('Sending 1 of 3');
    expect(words({ pause: { cause: 'unreachable', ...since }, sending, waiting: 3 })).toBe('Sending 1 of 3');
    expect(words({ radio: false, online: false, sending, waiting: 3 })).toBe('Offline · 3 waiting');
  });

  it('counts changes that need attention, in singular and plural', () => {
    expect(words({ needAttention: 1 })).toBe('1 needs attention');
    expect(words({ needAttention: 4 })).toBe('4 need attention');
  });

  it('keeps changes that need attention visible while offline', () => {
    expect(words({ online: false, waiting: 1, needAttention: 2 })).toBe('Offline · 1 waiting · 2 need attention');
  });

  it('asks for a sign-in before anything else when the session has ended', () => {
    expect(words({ sessionEnded: true, online: false, needAttention: 2 })).toBe('Sign in to send');
    expect(words({ pause: { cause: 'signed-out', ...since }, waiting: 1 })).toBe('Sign in to send');
  });

  it('counts waiting changes as online while the server is busy', () => {
    expect(statusOf({ ...calm, pause: { cause: 'busy', ...since }, waiting: 2 })).toEqual({
      tone: 'busy',
      words: 'Online · 2 waiting',
    });
  });
});
