import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LanguageSelect } from '../../src/features/auth/language-select.tsx';
import { LANGUAGES } from '../../src/language/languages.ts';
import { wantedLanguage } from '../../src/stores/language.ts';
import { UNTOUCHED, usePreferences } from '../../src/stores/preferences.ts';

beforeEach(() => {
  localStorage.clear();
  usePreferences.setState({ ...UNTOUCHED, language: 'de' }, true);
});
afterEach(() => {
  cleanup();
  usePreferences.setState(UNTOUCHED, true);
  localStorage.clear();
});

test('the language that is spoken is the one that is chosen, and another one is kept as soon as it is', () => {
  render(<LanguageSelect />);
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Language' });
  expect(select.value).toBe('de');
  expect([...select.options].map(({ text, lang }) => [lang, text])).toEqual(
    LANGUAGES.map(({ code, name }) => [code, name]),
  );
  fireEvent.change(select, { target: { value: 'en' } });
  expect(wantedLanguage()).toBe('en');
});
