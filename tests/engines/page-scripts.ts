/**
 * Functions that run in a page: each sees its arguments and the page alone. They look and answer at once: what takes its time is
 * asked for again (`until`), since no driver lets a script wait for long, and a page may be left meanwhile.
 */

/** What to look for: elements that a selector finds, in sight, whose name or text matches (a regular expression's source). */
export interface Sought {
  readonly css: string;
  readonly text: string;
}

/** How many of them are in sight. */
export function countInSight({ css, text }: Sought): number {
  const form = new RegExp(text, 'u');
  return [...document.querySelectorAll(css)].filter((element) => {
    const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return element.checkVisibility({ visibilityProperty: true }) && form.test(name.replaceAll(/\s+/g, ' ').trim());
  }).length;
}

/** The first of them once it keeps still and nothing lies over its middle; until then null. */
export async function whatCanBePressed({ css, text }: Sought): Promise<Element | null> {
  const form = new RegExp(text, 'u');
  const found = [...document.querySelectorAll(css)].find((element) => {
    const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return element.checkVisibility({ visibilityProperty: true }) && form.test(name.replaceAll(/\s+/g, ' ').trim());
  });
  if (found === undefined || found.matches(':disabled')) return null;
  // A field that is left may show a hint, which moves what is below it.
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

/** The control of that field: of the dialog that is open, else of the page. It may be out of sight: what picks files is hidden. */
export function controlOf(name: string): Element | null {
  const place = document.querySelector('[role=dialog]') ?? document.querySelector('main');
  return place?.querySelector(`[name="${name}"]`) ?? null;
}

export function valueOf(name: string): string | undefined {
  const place = document.querySelector('[role=dialog]') ?? document.querySelector('main');
  return place?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value;
}

/** Chooses the n-th option of a list, as a person's choice is told. False while there is no such option. */
export function chooseOption(name: string, index: number): boolean {
  const list = document.querySelector(`main select[name="${name}"]`) as HTMLSelectElement | null;
  if (list === null || list.options.length <= index) return false;
  list.selectedIndex = index;
  for (const type of ['input', 'change']) list.dispatchEvent(new Event(type, { bubbles: true }));
  return true;
}

/** Whether a worker is in charge of this page. */
export function hasWorkerInCharge(): boolean {
  return navigator.serviceWorker.controller !== null;
}
