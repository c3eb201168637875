/** Texts shown in more than one place, or fixed by the specification. */

export const SIGNED_IN = 'Successfully Logged In...!';
export const SAVED_ON_DEVICE = 'Saved on this device. It will be sent when the connection returns.';
export const SAVED_FOR_WIFI = 'Saved on this device. It will be sent over Wi-Fi.';
export const SAVED_FOR_SIGN_IN = 'Saved on this device. It will be sent as soon as you sign in.';
export const SAVED_BEHIND_PORTAL = 'Saved on this device. It will be sent once you sign in to this Wi-Fi.';

/** The message for a kept change after a server error, with the server's own message. */
export function keptAfterFault(message: string): string {
  return `${asSentence(message)} Saved on this device; it will be tried again automatically.`;
}

/** A message as a sentence, before another one: servers leave out the full stop ("Server Error"). */
export function asSentence(message: string): string {
  const text = message.trimEnd();
  return /[^.!?…]$/.test(text) ? `${text}.` : text;
}

/** The summary above field errors (422), in the words of a stock Laravel back end. */
export const INVALID = 'The given data was invalid.';

/** The question before a record is deleted. The noun is the definition's `label.deleteAs`. */
export function deleteQuestion<Noun extends string>(deleteAs: Noun) {
  return `Are you sure? You want to delete this ${deleteAs}?` as const;
}

/** The same as a message, to be translated with its noun. */
export const DELETE_QUESTION = /* @__PURE__ */ deleteQuestion('{what}');

/** The server's message for a create, update, delete or restore. */
export function doneMessage(what: string, verb: 'Created' | 'Updated' | 'Deleted' | 'Restored'): string {
  return `${what} ${verb} Successfully`;
}

/** Shown when something other than the server answered, usually a captive portal. */
export const NEEDS_SIGN_IN = 'This Wi-Fi needs a sign-in';
