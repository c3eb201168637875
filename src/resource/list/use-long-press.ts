import { type PointerEvent, type SyntheticEvent, useRef } from 'react';

/** A finger that rests for so long means more than a tap. Milliseconds. */
const LONG = 500;
/** One that moves further scrolls. CSS pixels. */
const STILL = 10;

/** Handlers that tell of a finger that rests on something. The tap that ends it is swallowed. */
export function useLongPress(onLongPress: (target: HTMLElement) => void) {
  const press = useRef<{ timer: number; x: number; y: number }>(undefined);
  const done = useRef(false);
  const end = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  return {
    onPointerDown: ({ pointerType, isPrimary, clientX: x, clientY: y, target }: PointerEvent) => {
      end();
      done.current = false;
      if (pointerType !== 'touch' || !isPrimary) return;
      const fire = () => {
        done.current = true;
        onLongPress(target as HTMLElement);
      };
      press.current = { x, y, timer: window.setTimeout(fire, LONG) };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { x, y } = press.current ?? { x: clientX, y: clientY };
      if (Math.hypot(clientX - x, clientY - y) > STILL) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    // the browser's own menu of a link or picture would lie over it
    onContextMenu: (event: SyntheticEvent) => {
      if (press.current !== undefined || done.current) event.preventDefault();
    },
    onClickCapture: (event: SyntheticEvent) => {
      if (!done.current) return;
      done.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
