/** Texts that people see in more than one place, or that the specification fixes. */

export const SIGNED_IN = 'Successfully Logged In...!';
export const SAVED_ON_DEVICE = 'Saved on this device. It will be sent when the connection returns.';
export const SAVED_FOR_WIFI = 'Saved on this device. It will be sent over Wi-Fi.';

/** What became of a change that the server answered with a fault of its own, in the server's words. */
export function keptAfterFault(message: string): string {
  return `${message.replace(/[.\s]*$/, '.')} Saved on this device; it will be tried again automatically.`;
}

/** Said above the texts of the fields (422), as a stock Laravel back end words it. */
export const INVALID = 'The given data was invalid.';

/** The question before a record is deleted; the word comes from the definition's `label.deleteAs`. */
export function deleteQuestion(deleteAs: string): string {
  return `Are you sure? You want to delete this ${deleteAs}?`;
}

/** The server's answer to a create, an update or a delete. */
export function doneMessage(what: string, verb: 'Created' | 'Updated' | 'Deleted'): string {
  return `${what} ${verb} Successfully`;
}

/** Something else answered in place of the server: as a rule the page of a network on which one has to sign in. */
export const NEEDS_SIGN_IN = 'This Wi-Fi needs a sign-in';
