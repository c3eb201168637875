/** All that is known of the Network Information API is in this file: Chromium's alone, and on desktops it tells no type. */

interface NetworkInformation extends EventTarget {
  readonly type?: string;
}

function information(): NetworkInformation | undefined {
  return (navigator as { readonly connection?: NetworkInformation }).connection;
}

/** The kind of link, `wifi` or `cellular`; undefined where the browser does not report it. */
export function linkType(): string | undefined {
  return information()?.type;
}

/** Calls `changed` when the link has become one of another kind. */
export function onLinkType(changed: () => void): void {
  let known = linkType();
  information()?.addEventListener('change', () => {
    if (linkType() === known) return;
    known = linkType();
    changed();
  });
}
