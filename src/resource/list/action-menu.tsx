import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useLatest } from '../../ui/use-latest.ts';
import './action-menu.css';

export interface ListAction {
  readonly label: string;
  /** For screen readers, if it says more than the label. */
  readonly name?: string | undefined;
  readonly run: () => void;
}

/** A menu and where it opens. */
export interface ActionMenuProps {
  readonly actions: readonly ListAction[];
  /** The button it opens at; null while it is closed. */
  readonly anchor: HTMLElement | null;
  readonly onClose: () => void;
}

/** A menu of secondary actions for a list, a row or a person. Plain elements, so it opens in the next frame. */
export default function ActionMenu({ anchor, ...rest }: ActionMenuProps) {
  if (anchor === null) return null;
  // outside of scrolling or sticky toolbars, but still within the page's main landmark
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
    // keep the key from the list and the page
    event.stopPropagation();
    event.preventDefault();
    if (leaves) close();
    else next?.focus();
  };
  return (
    // On click, not pointerdown: otherwise a tap's click would land on the row below.
    <div
      role="presentation"
      className="menu-behind"
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <div ref={menu} role="menu" tabIndex={-1} className="menu" onKeyDown={onKeyDown}>
        {actions.map(({ label, name, run }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-label={name}
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

/** Minimum distance between the menu and the edge of the window. CSS pixels. */
const EDGE = 12;

/**
 * Places the menu below its button, or above it if there is no room, and focuses its first item. The menu follows a page that
 * moves, for example when the on-screen keyboard closes, and closes when its button is removed.
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

/** The menu item that a key moves to: next, previous, first, last, or the next one starting with a letter. */
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
