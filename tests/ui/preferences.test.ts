import { beforeEach, expect, it } from 'vitest';
import { followPerson } from '../../src/stores/follow-person.ts';
import { toggleGroup, UNTOUCHED, usePreferences } from '../../src/stores/preferences.ts';
import { closeSession, startSession } from '../../src/stores/session.ts';

const KEY = 'voltdesk.preferences';
const signIn = (id: number) => startSession({ id, name: `Person ${id}` }, `token ${id}`, true);

beforeEach(() => {
  closeSession();
  localStorage.clear();
  usePreferences.setState(usePreferences.getInitialState(), true);
  localStorage.clear();
});

it('keeps the preferences of two users of a device apart', () => {
  followPerson();
  signIn(1);
  usePreferences.setState({ large: true, landing: '/outbox' });
  closeSession();
  expect(usePreferences.getState()).toMatchObject({ large: false, landing: '/' });
  signIn(2);
  expect(usePreferences.getState()).toMatchObject({ large: false, landing: '/' });
  usePreferences.setState({ leftHanded: true });
  closeSession();
  signIn(1);
  expect(usePreferences.getState()).toMatchObject({ large: true, landing: '/outbox', leftHanded: false });
});

it('gives preferences shared by everyone to the first user who signs in', async () => {
  const state = { ...usePreferences.getInitialState(), dense: true };
  localStorage.setItem(KEY, JSON.stringify({ state, version: 0 }));
  await usePreferences.persist.rehydrate();
  followPerson();
  signIn(1);
  expect(usePreferences.getState().dense).toBe(true);
  signIn(2);
  expect(usePreferences.getState().dense).toBe(false);
});

it('gives what older versions kept for everyone to nobody who signs in after another, and no language of it to the sign-in', () => {
  localStorage.setItem(`${KEY}.1`, JSON.stringify({ state: { ...UNTOUCHED, dense: true }, version: 0 }));
  localStorage.setItem(KEY, JSON.stringify({ state: { ...UNTOUCHED, large: true, language: 'de' }, version: 0 }));
  followPerson();
  signIn(1);
  signIn(2);
  expect(usePreferences.getState()).toMatchObject({ dense: false, large: false });
  closeSession();
  expect(usePreferences.getState().language).toBeUndefined();
});

it('gives a first user what was kept for everyone, not what another user has on screen', () => {
  followPerson();
  signIn(1);
  usePreferences.setState({ dense: true });
  localStorage.setItem(KEY, JSON.stringify({ state: { ...UNTOUCHED, large: true }, version: 0 }));
  signIn(2);
  expect(usePreferences.getState()).toMatchObject({ dense: false, large: true });
});

it('does not carry a user’s language over to the next one', () => {
  followPerson();
  signIn(1);
  usePreferences.setState({ language: 'de' });
  signIn(2);
  expect(usePreferences.getState().language).toBeUndefined();
  usePreferences.setState({ dense: true });
  signIn(1);
  expect(usePreferences.getState().language).toBe('de');
  signIn(2);
  expect(usePreferences.getState()).toMatchObject({ dense: true });
  expect(usePreferences.getState().language).toBeUndefined();
});

it('adopts what another tab has chosen, and does not overwrite it', () => {
  followPerson();
  signIn(1);
  const elsewhere = (id: number, chosen: object) => {
    const key = `${KEY}.${id}`;
    const stored = JSON.stringify({ state: { ...UNTOUCHED, ...chosen }, version: 0 });
    localStorage.setItem(key, stored);
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: stored }));
  };
  elsewhere(1, { large: true });
  expect(usePreferences.getState().large).toBe(true);
  usePreferences.setState({ dense: true });
  expect(JSON.parse(localStorage.getItem(`${KEY}.1`) ?? '')).toMatchObject({ state: { large: true, dense: true } });
  elsewhere(2, { leftHanded: true });
  expect(usePreferences.getState().leftHanded).toBe(false);
});

it('opens and closes each sidebar group separately', () => {
  const open = () => usePreferences.getState().openGroups;
  toggleGroup('ups');
  toggleGroup('partners');
  expect(open()).toEqual(['ups', 'partners']);
  toggleGroup('ups');
  expect(open()).toEqual(['partners']);
});
