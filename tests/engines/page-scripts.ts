/**
 * Functions that run in a page. Each can use only its arguments and the page. They check and return at once. Callers poll
 * for slow results (`until`), since no driver lets a script wait for long, and the page may navigate meanwhile.
 */

/**
 * What to find: visible elements that match a selector and whose name or text matches (the source of a regular expression).
 */
export interface Sought {
  readonly css: string;
  readonly text: string;
}

/** The number of visible matches. */
export function countInSight({ css, text }: Sought): number {
  const form = new RegExp(text, 'u');
  return [...document.querySelectorAll(css)].filter((element) => {
    const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return element.checkVisibility({ visibilityProperty: true }) && form.test(name.replaceAll(/\s+/g, ' ').trim());
  }).length;
}

/** The first match, once it no longer moves and nothing covers its centre. Null until then. */
export async function whatCanBePressed({ css, text }: Sought): Promise<Element | null> {
  const form = new RegExp(text, 'u');
  const found = [...document.querySelectorAll(css)].find((element) => {
    const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return element.checkVisibility({ visibilityProperty: true }) && form.test(name.replaceAll(/\s+/g, ' ').trim());
  });
  if (found === undefined || found.matches(':disabled')) return null;
  // A field that loses the focus may show a hint, which moves what is below it.
  if (document.activeElement instanceof HTMLElement && !found.contains(document.activeElement))
    document.activeElement.blur();
  found.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const place = () => Object.values(found.getBoundingClientRect().toJSON() as object).join(' ');
  const before = place();
  await new Promise((resolve) => setTimeout(resolve, 60));
  const { left, top, width, height } = found.getBoundingClientRect();
  const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
  return place() === before && onTop !== null && (found.contains(onTop) || onTop.contains(found)) ? found : null;
}

/** The control of this field, in the open dialog or else in the page. It may be invisible: file inputs are hidden. */
export function controlOf(name: string): Element | null {
  const place = document.querySelector('[role=dialog]') ?? document.querySelector('main');
  return place?.querySelector(`[name="${name}"]`) ?? null;
}

export function valueOf(name: string): string | undefined {
  const place = document.querySelector('[role=dialog]') ?? document.querySelector('main');
  return place?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value;
}

/** Selects the n-th option of a list, with the events of a person's choice. False while the option does not exist. */
export function chooseOption(name: string, index: number): boolean {
  const list = document.querySelector(`main select[name="${name}"]`) as HTMLSelectElement | null;
  if (list === null || list.options.length <= index) return false;
  list.selectedIndex = index;
  for (const type of ['input', 'change']) list.dispatchEvent(new Event(type, { bubbles: true }));
  return true;
}

/** True if a service worker controls this page. */
export function hasWorkerInCharge(): boolean {
  return navigator.serviceWorker.controller !== null;
}
