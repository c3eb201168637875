/** The Network Information API. Only Chromium has it, and on desktops it reports no type. */

interface NetworkInformation extends EventTarget {
  readonly type?: string;
}

function information(): NetworkInformation | undefined {
  return (navigator as { readonly connection?: NetworkInformation }).connection;
}

/** The link type, `wifi` or `cellular`. Undefined if the browser does not report it. */
export function linkType(): string | undefined {
  return information()?.type;
}

/** Calls `changed` when the link type changes. */
export function onLinkType(changed: () => void): void {
  let known = linkType();
  information()?.addEventListener('change', () => {
    if (linkType() === known) return;
    known = linkType();
    changed();
  });
}
