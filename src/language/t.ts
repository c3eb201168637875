import { format, type NamesOf, type Value } from './format.ts';

/** A language other than English, loaded as its own chunk. */
export interface Catalogue {
  /** The locale for `Intl` and the document's `lang`. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** Translates a message, with its placeholders. Undefined if there is no translation. */
  message(source: string): string | undefined;
  /** Translates a finished English sentence from storage, the server or a domain rule. Undefined if there is no translation. */
  sentence(text: string): string | undefined;
  /** Translates a message together with the noun in it. Undefined if the message alone will do. */
  phrase?(message: string, what: string): string | undefined;
  /** Translates a stored choice, such as "Three Phase". Undefined if there is no translation. */
  choice(value: string): string | undefined;
  /** Long words with soft hyphens. A browser without hyphenation rules for the language breaks words anywhere. */
  readonly breaks?: Readonly<Record<string, string>>;
}

type Values<Message extends string> = [NamesOf<Message>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Message>, Value>>];

let catalogue: Catalogue | undefined;

/** Switches the language. Undefined is English. Called before the first paint, and by tests. */
export function speak(language: Catalogue | undefined): void {
  catalogue = language;
}

/** The locale for `Intl`. */
export function locale(): string {
  return catalogue?.locale ?? 'en-GB';
}

/**
 * Translates a text of the app. The English text is the message key and is written at the place of use. Values are typed by the
 * placeholders of the message. Numbers are formatted for the locale, strings are inserted as is.
 */
export function t<Message extends string>(message: Message, ...[values]: Values<Message>): string {
  return format(catalogue?.message(message) ?? message, values ?? {}, locale());
}

/** Marks the text of a constant, which is defined before the language is known. `say` translates it. */
export function msg<Message extends string>(message: Message): Message {
  return message;
}

/**
 * Translates a finished English text: of a constant (`msg`), a definition, a domain rule, a stored entry or the server. An unknown
 * text, such as one from a user or from another server, is returned as is.
 */
export function say(text: string): string {
  return catalogue?.sentence(text) ?? text;
}

/**
 * Translates a message about one kind of record, `{what}`. Other languages inflect the words beside a noun: "Neuer Generator",
 * "Neues Projekt".
 */
export function sayOf(message: `${string}{what}${string}`, what: string): string {
  const whole = catalogue?.phrase?.(message, what);
  if (whole !== undefined) return whole;
  const alone = catalogue?.message(message);
  return alone === undefined ? say(message.replace('{what}', what)) : format(alone, { what: say(what) }, locale());
}

/** Translates a choice, which is stored in English. Separate from `say`: the choice "Open" is a housing type, the text an action. */
export function sayChoice(value: string): string {
  return catalogue?.choice(value) ?? value;
}

/** Adds soft hyphens to a translated text for a narrow place, so that long words break at a hyphen. */
export function breakable(text: string): string {
  return catalogue?.breaks?.[text] ?? text;
}
