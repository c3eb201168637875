import { useEffect, useLayoutEffect, useRef } from 'react';

/** What src/ui/popover.tsx shows over the page. */
const SHEET = '[data-sheet]';

/** What had the focus last, in the page's content. */
interface Held {
  readonly control: HTMLElement;
  /** The sheet over the page that it is in: it closes when the focus leaves it. */
  readonly sheet: HTMLElement | null;
  readonly heading: HTMLElement | null;
  /** The item it belongs to, the item's place among all, and the control's among the item's own. */
  readonly key: string | undefined;
  readonly place: number;
  readonly step: number;
}

/**
 * Keeps the keyboard's place when what has the focus goes (WCAG 2.4.3): an item whose buttons change keeps it, the one that
 * takes the place of an item that is gone gets it, else the sheet that it was in, or the page's heading. `keys` are those of all
 * items in order; each is drawn with its own in `data-row`, or is out of sight.
 */
export function useKeptFocus(keys: readonly string[]): void {
  const order = useRef(keys);
  const held = useRef<Held>(undefined);
  useLayoutEffect(() => {
    order.current = keys;
    if (held.current !== undefined) held.current = { ...held.current, ...placeIn(keys, held.current.key) };
  }, [keys]);

  useEffect(() => {
    const content = document.querySelector('main');
    const note = ({ target }: FocusEvent) => {
      // a question comes back to where it was asked
      if (!(target instanceof HTMLElement) || target.closest('[role="dialog"], [role="alertdialog"]') !== null) return;
      held.current = content?.contains(target) && target !== content ? holding(target, order.current) : undefined;
    };
    // somebody pressed beside everything
    const leave = ({ target }: FocusEvent) =>
      setTimeout(() => {
        const { control } = held.current ?? {};
        if (control === target && control?.isConnected && isNowhere()) held.current = undefined;
      });
    const look = () => {
      if (isLost(held.current)) giveTo(successor(held.current, order.current));
    };
    const observer = new MutationObserver(look);
    // the root of a question is a child of the page itself
    observer.observe(document.body, { childList: true });
    if (content !== null) observer.observe(content, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    document.addEventListener('focusout', leave);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('focusout', leave);
      // with another page, its heading has gone as well
      if (isLost(held.current)) giveTo(fallbackOf(held.current));
    };
  }, []);
}

function holding(control: HTMLElement, keys: readonly string[]): Held {
  const item = control.closest<HTMLElement>('[data-row]');
  const key = item?.dataset['row'];
  return {
    control,
    sheet: control.closest<HTMLElement>(SHEET),
    heading: document.querySelector<HTMLElement>('main h1'),
    key,
    place: 0,
    step: item === null ? 0 : controlsOf(item).indexOf(control),
    ...placeIn(keys, key),
  };
}

/** The last one stands where the item is not among them any more. */
function placeIn(keys: readonly string[], key: string | undefined): { place?: number } {
  const place = key === undefined ? -1 : keys.indexOf(key);
  return place === -1 ? {} : { place };
}

function isLost(held: Held | undefined): held is Held {
  return held !== undefined && !held.control.isConnected && isNowhere();
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Undefined where the item is there and only out of sight. */
function successor(held: Held, keys: readonly string[]): HTMLElement | undefined {
  const { key, place, step } = held;
  const own = key === undefined ? undefined : itemOf(key);
  if (own !== undefined) return controlsOf(own)[Math.min(step, controlsOf(own).length - 1)] ?? own;
  if (key !== undefined && keys.includes(key)) return undefined;
  const nextKey = key === undefined ? undefined : keys[Math.min(place, keys.length - 1)];
  const next = nextKey === undefined ? undefined : itemOf(nextKey);
  return next === undefined ? fallbackOf(held) : (next.querySelector<HTMLElement>('a') ?? next);
}

function fallbackOf({ sheet, heading }: Held): HTMLElement | undefined {
  return [sheet, heading].find((element) => element?.isConnected) ?? undefined;
}

function itemOf(key: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('main [data-row]')].find(({ dataset }) => dataset['row'] === key);
}

function controlsOf(item: HTMLElement): HTMLElement[] {
  return [...item.querySelectorAll<HTMLElement>('a, input, button:not(:disabled)')];
}

function giveTo(element: HTMLElement | undefined): void {
  if (element === undefined) return;
  // a heading or an item takes the focus from here, and is no stop on the way through the page
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
