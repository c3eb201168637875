import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useLatest } from '../../ui/use-latest.ts';
import './action-menu.css';

export interface ListAction {
  readonly label: string;
  readonly run: () => void;
}

interface ActionMenuProps {
  readonly actions: readonly ListAction[];
  /** The button it opens at; null while it is closed. */
  readonly anchor: HTMLElement | null;
  readonly onClose: () => void;
}

/** The rarer things that a list, a row or a person can be asked for. Plain elements: it opens in the frame after its press. */
export default function ActionMenu({ anchor, ...rest }: ActionMenuProps) {
  if (anchor === null) return null;
  // out of a toolbar that scrolls or sticks, and still a part of the page's content
  return createPortal(<OpenMenu anchor={anchor} {...rest} />, document.querySelector('main') ?? document.body);
}

function OpenMenu({ actions, anchor, onClose }: ActionMenuProps & { readonly anchor: HTMLElement }) {
  const menu = useRef<HTMLDivElement>(null);
  const close = () => {
    onClose();
    anchor.focus({ preventScroll: true });
  };
  usePlace(menu, anchor, onClose);
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(menu.current?.querySelectorAll('button') ?? [])];
    const next = itemFor(event.key, items, items.indexOf(document.activeElement as HTMLButtonElement));
    const leaves = event.key === 'Escape' || event.key === 'Tab';
    if (next === undefined && !leaves) return;
    // it is no key of the list or of the page
    event.stopPropagation();
    event.preventDefault();
    if (leaves) close();
    else next?.focus();
  };
  return (
    // A click, not the press before it: the finger's click would meet the row below.
    <div
      role="presentation"
      className="menu-behind"
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <div ref={menu} role="menu" tabIndex={-1} className="menu" onKeyDown={onKeyDown}>
        {actions.map(({ label, run }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              close();
              run();
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Between the menu and the window's edge, in CSS pixels. */
const EDGE = 12;

/**
 * Under its button, above it where there is no room, within the window; the focus is on its first item. It follows a page that moves,
 * as one does when the keyboard on the screen goes, and ends with its button.
 */
function usePlace(menu: RefObject<HTMLDivElement | null>, anchor: HTMLElement, onClose: () => void): void {
  const latest = useLatest(onClose);
  useLayoutEffect(() => {
    const follow = () => (anchor.isConnected ? putAt(menu.current, anchor) : latest.current());
    follow();
    menu.current?.querySelector('button')?.focus({ preventScroll: true });
    document.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', follow);
    return () => {
      document.removeEventListener('scroll', follow);
      window.removeEventListener('resize', follow);
    };
  }, [menu, anchor, latest]);
}

function putAt(menu: HTMLElement | null, anchor: HTMLElement): void {
  if (menu === null) return;
  const at = anchor.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const { clientWidth, clientHeight, dir } = document.documentElement;
  const top = at.bottom + height + EDGE <= clientHeight ? at.bottom : at.top - height;
  menu.style.left = `${within(dir === 'rtl' ? at.right - width : at.left, clientWidth - width)}px`;
  menu.style.top = `${within(top, clientHeight - height)}px`;
}

function within(place: number, most: number): number {
  return Math.max(EDGE, Math.min(place, most - EDGE));
}

/** Where a key leads in a menu: to the next item or the one before, to an end, or to the next that begins with the letter. */
function itemFor(key: string, items: readonly HTMLButtonElement[], at: number): HTMLButtonElement | undefined {
  const count = items.length;
  if (key === 'ArrowDown') return items[(at + 1) % count];
  if (key === 'ArrowUp') return items[(Math.max(at, 0) - 1 + count) % count];
  if (key === 'Home') return items[0];
  if (key === 'End') return items[count - 1];
  if (key.length !== 1 || key === ' ') return undefined;
  const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return after.find(({ textContent }) => textContent.toLowerCase().startsWith(key.toLowerCase()));
}
