import { useEffect, useLayoutEffect, useRef } from 'react';

/** Matches the sheet of src/ui/popover.tsx. */
const SHEET = '[data-sheet]';

/** The last focused control in the page's content. */
interface Held {
  readonly control: HTMLElement;
  /** The sheet that contains it, which closes when the focus leaves it. */
  readonly sheet: HTMLElement | null;
  readonly heading: HTMLElement | null;
  /** `key` identifies its item, `place` is the item's index, and `step` is the control's index within the item. */
  readonly key: string | undefined;
  readonly place: number;
  readonly step: number;
}

/**
 * Keeps the focus in place when the focused control is removed (WCAG 2.4.3). An item whose buttons change keeps it. If the item is
 * removed, the item now at its index gets it, else the sheet that contained it, else the page's heading. `keys` are the keys of all
 * items in order. Each rendered item has its key in `data-row`.
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
      // Ignores dialogs, which return the focus to where they were opened.
      if (!(target instanceof HTMLElement) || target.closest('[role="dialog"], [role="alertdialog"]') !== null) return;
      held.current = content?.contains(target) && target !== content ? holding(target, order.current) : undefined;
    };
    // The user clicked outside of every control.
    const leave = ({ target }: FocusEvent) =>
      setTimeout(() => {
        const { control } = held.current ?? {};
        if (control === target && control?.isConnected && isNowhere()) held.current = undefined;
      });
    const look = () => {
      if (isLost(held.current)) giveTo(successor(held.current, order.current));
    };
    const observer = new MutationObserver(look);
    // The root of a dialog is a child of the body.
    observer.observe(document.body, { childList: true });
    if (content !== null) observer.observe(content, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    document.addEventListener('focusout', leave);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('focusout', leave);
      // After a navigation, the old heading is removed as well.
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

/** The current index of an item. Empty for a removed item, which keeps its last index. */
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

/** The element that gets the focus. Undefined if the item still exists but is not rendered. */
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
  // Makes headings and items focusable from code without adding a tab stop.
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
