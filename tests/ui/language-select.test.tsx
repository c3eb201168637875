import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { LanguageSelect } from '../../src/features/auth/language-select.tsx';
import { LANGUAGES } from '../../src/language/languages.ts';
import { speak, t } from '../../src/language/t.ts';
import { chooseLanguage, followLanguage, speakLanguage, wantedLanguage } from '../../src/stores/language.ts';
import { UNTOUCHED, usePreferences } from '../../src/stores/preferences.ts';
import { followPerson } from '../../src/stores/follow-person.ts';
import { closeSession, startSession } from '../../src/stores/session.ts';
import { setUnsaved } from '../../src/stores/unsaved.ts';

const signIn = (id: number) => startSession({ id, name: `Person ${id}` }, `token ${id}`, true);

beforeEach(() => {
  localStorage.clear();
  signIn(1);
  usePreferences.setState({ ...UNTOUCHED, language: 'de' }, true);
});
afterEach(() => {
  cleanup();
  closeSession();
  usePreferences.setState(UNTOUCHED, true);
  localStorage.clear();
});

test('shows the current language as chosen, and stores another one when selected', () => {
  render(<LanguageSelect />);
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Language' });
  expect(select.value).toBe('de');
  expect([...select.options].map(({ text, lang }) => [lang, text])).toEqual(
    LANGUAGES.map(({ code, name }) => [code, name]),
  );
  fireEvent.change(select, { target: { value: 'en' } });
  expect(wantedLanguage()).toBe('en');
});

test('uses the choice for the device too, at the sign-in and for users without a choice', () => {
  chooseLanguage('de');
  usePreferences.setState(UNTOUCHED, true);
  expect(wantedLanguage()).toBe('de');
});

test('a stored language that the app does not know is ignored', () => {
  usePreferences.setState(UNTOUCHED, true);
  localStorage.setItem('voltdesk.language', 'tlh');
  expect(wantedLanguage()).toBe('en');
});

/** Starts the page at an address with this query. */
async function startWith(query: string): Promise<void> {
  onTestFinished(() => {
    speak(undefined);
    window.history.replaceState(null, '', '/');
    document.documentElement.removeAttribute('lang');
    document.documentElement.removeAttribute('dir');
  });
  window.history.replaceState(null, '', `/${query}`);
  await speakLanguage();
}

test('the page starts in the language that was chosen', async () => {
  await startWith('');
  expect(t('Save')).toBe('Speichern');
  expect(document.documentElement.lang).toBe('de');
});

test.each([
  ['?language=xa', 'xa'],
  ['?language=tlh', 'de'],
])('an address with %s starts the page in %s and keeps that', async (query, language) => {
  await startWith(query);
  expect(wantedLanguage()).toBe(language);
  expect(document.documentElement.dir).toBe(language === 'xa' ? 'rtl' : 'ltr');
});

function stubReload() {
  const reload = vi.fn<() => void>();
  vi.stubGlobal('location', { reload });
  onTestFinished(() => void vi.unstubAllGlobals());
  return reload;
}

test('the page reloads for another language unless a form is in use, and for no other preference', () => {
  const reload = stubReload();
  followLanguage();
  usePreferences.setState({ large: true });
  expect(reload).not.toHaveBeenCalled();
  setUnsaved('a form', true);
  chooseLanguage('en');
  expect(reload).not.toHaveBeenCalled();
  setUnsaved('a form', false);
  chooseLanguage('en');
  expect(reload).toHaveBeenCalledOnce();
});

test('a log-out is not interrupted by a reload, and the next user’s language is loaded at their sign-in', () => {
  const reload = stubReload();
  followPerson();
  usePreferences.setState({ language: 'de' });
  localStorage.setItem('voltdesk.language', 'en');
  followLanguage();
  closeSession();
  expect(reload).not.toHaveBeenCalled();
  render(<LanguageSelect />);
  expect(screen.getByRole<HTMLSelectElement>('combobox').value).toBe('de');
  signIn(2);
  expect(reload).toHaveBeenCalled();
});

test('a language chosen before the sign-in is the device’s, and nobody’s preference', () => {
  const reload = stubReload();
  followPerson();
  closeSession();
  followLanguage();
  chooseLanguage('de');
  expect([reload.mock.calls.length, wantedLanguage()]).toEqual([1, 'de']);
  signIn(2);
  expect(usePreferences.getState().language).toBeUndefined();
  chooseLanguage('en');
  closeSession();
  expect(wantedLanguage()).toBe('en');
});
