import { type Catalogue, speak } from './t.ts';

/** `xa` is the pseudo-language for developers: accented, 40 % longer, from right to left. */
export type Language = 'en' | 'de' | 'xa';

const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly catalogue: Catalogue }>>> = {
  de: () => import('./de.ts'),
  xa: () => import('./pseudo.ts'),
};

/** Whether a text, of an address or of storage, names a language. */
export function isLanguage(text: unknown): text is Language {
  return text === 'en' || (typeof text === 'string' && Object.hasOwn(LOADERS, text));
}

/** Speaks the language, once its texts are here. English needs none. Rejects where they cannot be had: English goes on. */
export async function loadLanguage(language: Language): Promise<void> {
  if (language === 'en') return;
  const { catalogue } = await LOADERS[language]();
  speak(catalogue);
  document.documentElement.lang = catalogue.locale;
  document.documentElement.dir = catalogue.direction;
}
