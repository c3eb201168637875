/** True if a key press on the target types text and is not a shortcut. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable="true"]');
}
