import { format, type NamesOf, type Value } from './format.ts';

/** A language other than English, as its chunk brings it. */
export interface Catalogue {
  /** What `Intl` and the document's `lang` are given. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** The message in this language, with the same placeholders. Undefined where it has none. */
  message(source: string): string | undefined;
  /** A finished English sentence in this language: one that was stored, came from the server or from a rule of the domain. */
  sentence(text: string): string | undefined;
  /** The name of a stored choice, such as "Three Phase". Undefined where it has none. */
  choice(value: string): string | undefined;
  /** Long words with soft hyphens in them: a browser without the language's own rules breaks words anywhere. */
  readonly breaks?: Readonly<Record<string, string>>;
}

type Values<Message extends string> = [NamesOf<Message>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Message>, Value>>];

let catalogue: Catalogue | undefined;

/** Speaks this language from now on; undefined is English. Called before the first paint, and by tests. */
export function speak(language: Catalogue | undefined): void {
  catalogue = language;
}

/** The locale for `Intl`. */
export function locale(): string {
  return catalogue?.locale ?? 'en-GB';
}

/**
 * A text of the app in the person's language. The English text is the message's key and stands where it is shown. Values are
 * typed by the message's placeholders; numbers are written by the language's rules, texts as they are.
 */
export function t<Message extends string>(message: Message, ...[values]: Values<Message>): string {
  return format(catalogue?.message(message) ?? message, values ?? {}, locale());
}

/** Marks the text of a constant, which exists before the language is known: it is shown by `say`. */
export function msg<Message extends string>(message: Message): Message {
  return message;
}

/**
 * A finished English text in the person's language: of a constant (`msg`), a definition, a rule of the domain, a stored entry, the
 * server. What the language does not know (a person's own text, an unknown server's) stays as it is.
 */
export function say(text: string): string {
  return catalogue?.sentence(text) ?? text;
}

/** The name of one of a list of choices, which is stored in English. Apart from `say`: "Open" is a kind of housing here, and a press there. */
export function sayChoice(value: string): string {
  return catalogue?.choice(value) ?? value;
}

/** A text of the app, already in the person's language, for a narrow place: a long word breaks there at a hyphen. */
export function breakable(text: string): string {
  return catalogue?.breaks?.[text] ?? text;
}
