import { afterEach, expect, test } from 'vitest';
import { type DeviceState, readinessOf } from '../../src/features/self-check/readiness.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { catalogue as pseudo } from '../../src/language/pseudo.ts';
import { speak } from '../../src/language/t.ts';
import { plainWords } from './untranslated.ts';

const READY: DeviceState = { persistence: 'granted', asked: false, hasWorker: true, free: 2_000_000_000 };
const MAY_DELETE: DeviceState = { ...READY, persistence: 'refused' };
const UNKNOWN: DeviceState = { persistence: undefined, asked: false, hasWorker: undefined, free: undefined };

afterEach(() => speak(undefined));

const states = (device: DeviceState) => readinessOf(device).reasons.map(({ state }) => state);

test('is safe for a week offline if the data stays, the app opens and there is room', () => {
  const { state, verdict, remedy } = readinessOf(READY);
  expect({ state, verdict, remedy }).toEqual({ state: 'good', verdict: 'This device is safe for a week offline' });
  expect(states(READY)).toEqual(['good', 'good', 'good']);
});

test.each<[string, DeviceState, string, string | undefined]>([
  ['data that may be deleted', MAY_DELETE, 'bad good good', 'ask'],
  ['a browser that declined', { ...MAY_DELETE, asked: true }, 'bad good good', undefined],
  ['an app that is not stored yet', { ...READY, hasWorker: false }, 'good bad good', 'reload'],
  ['little room', { ...READY, free: 499_000_000 }, 'good good bad', undefined],
  ['everything at once, the data first', { ...MAY_DELETE, hasWorker: false, free: 0 }, 'bad bad bad', 'ask'],
])('is not ready with %s', (_what, device, reasons, remedy) => {
  expect(states(device).join(' ')).toBe(reasons);
  const readiness = readinessOf(device);
  expect(readiness.verdict).toBe('This device is not ready for a week offline yet');
  expect(readiness.remedy).toBe(remedy);
});

test('claims nothing that it could not read', () => {
  expect(readinessOf(UNKNOWN).verdict).toBe('This browser does not say whether a week offline is safe');
  expect(states(UNKNOWN)).toEqual(['unknown', 'unknown', 'unknown']);
  expect(readinessOf({ ...UNKNOWN, persistence: 'refused' }).state).toBe('bad');
  expect(readinessOf({ ...UNKNOWN, persistence: 'unknown', asked: true }).remedy).toBeUndefined();
});

test('is whole in every language', () => {
  for (const language of [pseudo, german])
    for (const device of [READY, MAY_DELETE, UNKNOWN, { ...MAY_DELETE, asked: true, hasWorker: false, free: 1 }]) {
      speak(language);
      const { verdict, reasons } = readinessOf(device);
      const texts = [verdict, ...reasons.flatMap(({ subject, text }) => [subject, text])];
      if (language === pseudo) expect(texts.flatMap(plainWords)).toEqual([]);
      else expect(texts.join(' ')).not.toMatch(/\b(the|is|not|this)\b/i);
    }
});
