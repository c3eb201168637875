/** Minimum duration of a long press. Milliseconds. */
const LONG = 500;
/** A finger that moves farther than this scrolls. CSS pixels. */
const STILL = 10;

/** Calls back after a long press within an element, and swallows the click that ends it. Returns a function that stops listening. */
export function followLongPress(element: HTMLElement, onLongPress: (target: HTMLElement) => void): () => void {
  let press: { timer: number; x: number; y: number } | undefined;
  let done = false;
  const end = () => {
    clearTimeout(press?.timer);
    press = undefined;
  };
  const begin = ({ pointerType, isPrimary, clientX: x, clientY: y, target }: PointerEvent) => {
    end();
    done = false;
    if (pointerType !== 'touch' || !isPrimary) return;
    const fire = () => {
      done = true;
      onLongPress(target as HTMLElement);
    };
    press = { x, y, timer: window.setTimeout(fire, LONG) };
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (press !== undefined && Math.hypot(clientX - press.x, clientY - press.y) > STILL) end();
  };
  // the browser's context menu of a link or picture would cover the result
  const menu = (event: Event) => {
    if (press !== undefined || done) event.preventDefault();
  };
  const click = (event: Event) => {
    if (!done) return;
    done = false;
    event.preventDefault();
    event.stopPropagation();
  };
  const ends = new AbortController();
  const { signal } = ends;
  element.addEventListener('pointerdown', begin, { signal });
  element.addEventListener('pointermove', move, { signal });
  element.addEventListener('pointerup', end, { signal });
  element.addEventListener('pointercancel', end, { signal });
  element.addEventListener('contextmenu', menu, { signal });
  element.addEventListener('click', click, { signal, capture: true });
  return () => {
    end();
    ends.abort();
  };
}
