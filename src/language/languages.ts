import { type Catalogue, speak } from './t.ts';

/** The languages to choose from, each by its own name. German is offered as long as tests/tooling/languages.test.ts finds it complete. */
export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
] as const;

/** `xa` is the pseudo-language for developers: accented, 40 % longer, from right to left. */
export type Language = (typeof LANGUAGES)[number]['code'] | 'xa';

const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly catalogue: Catalogue }>>> = {
  de: () => import('./de.ts'),
  xa: () => import('./pseudo.ts'),
};

/** Whether a text, of an address or of storage, names a language. */
export function isLanguage(text: unknown): text is Language {
  return text === 'en' || (typeof text === 'string' && Object.hasOwn(LOADERS, text));
}

/** The first of a browser's languages, such as "de-AT", that the app speaks; else English. */
export function firstSpoken(wanted: readonly string[]): Language {
  const codes = wanted.map((tag) => tag.split('-')[0]?.toLowerCase());
  return codes.map((code) => LANGUAGES.find((known) => known.code === code)?.code).find(Boolean) ?? 'en';
}

/** Speaks the language, once its texts are here. English needs none. Rejects where they cannot be had: English goes on. */
export async function loadLanguage(language: Language): Promise<void> {
  if (language === 'en') return;
  const { catalogue } = await LOADERS[language]();
  speak(catalogue);
  document.documentElement.lang = catalogue.locale;
  document.documentElement.dir = catalogue.direction;
}
