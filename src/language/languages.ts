import { type Catalogue, speak } from './t.ts';

/** The selectable languages, each by its own name. tests/tooling/languages.test.ts requires German to be complete. */
export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
] as const;

/** `xa` is the pseudo-language for developers: accented, 40 % longer, right to left. */
export type Language = (typeof LANGUAGES)[number]['code'] | 'xa';

const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly catalogue: Catalogue }>>> = {
  de: () => import('./de.ts'),
  xa: () => import('./pseudo.ts'),
};

/** Whether a value from the address or from storage is a language code. */
export function isLanguage(text: unknown): text is Language {
  return text === 'en' || (typeof text === 'string' && Object.hasOwn(LOADERS, text));
}

/** The first supported one of the browser's languages, such as "de-AT", or English. */
export function firstSpoken(wanted: readonly string[]): Language {
  const codes = wanted.map((tag) => tag.split('-')[0]?.toLowerCase());
  return codes.map((code) => LANGUAGES.find((known) => known.code === code)?.code).find(Boolean) ?? 'en';
}

/** Loads a language and switches to it. English needs no load. Rejects if the load fails; English then stays. */
export async function loadLanguage(language: Language): Promise<void> {
  if (language === 'en') return;
  const { catalogue } = await LOADERS[language]();
  speak(catalogue);
  document.documentElement.lang = catalogue.locale;
  document.documentElement.dir = catalogue.direction;
}
