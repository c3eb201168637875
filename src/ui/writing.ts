/** True where a pressed letter is text that somebody writes, and no command. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable="true"]');
}
