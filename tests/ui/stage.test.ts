import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useStage } from '../../src/fields/photos/use-stage.ts';

/** A 400 by 300 frame around a picture that is as large as the zoom makes it. */
function stage() {
  const frame = Object.assign(document.createElement('div'), { scrollBy: () => {} });
  const size = { clientWidth: 400, clientHeight: 300, scrollWidth: 400, scrollHeight: 300 };
  for (const key of Object.keys(size)) Object.defineProperty(frame, key, { get: () => size[key as keyof typeof size] });
  frame.scrollBy = ((x: number, y: number) => {
    frame.scrollLeft += x;
    frame.scrollTop += y;
  }) as typeof frame.scrollBy;
  const hook = renderHook(({ zoom }) => useStage(zoom), { initialProps: { zoom: 1 } });
  hook.result.current.ref(frame);
  const zoomTo = (zoom: number) => {
    Object.assign(size, { scrollWidth: 400 * zoom, scrollHeight: 300 * zoom });
    hook.rerender({ zoom });
    return [frame.scrollLeft, frame.scrollTop];
  };
  return { frame, hook, zoomTo };
}

const moved = (pointerType: string, buttons = 1) =>
  ({ pointerType, buttons, movementX: -30, movementY: -20 }) as unknown as React.PointerEvent;

it('keeps the middle of a picture in the middle while it is magnified', () => {
  const { frame, hook, zoomTo } = stage();
  expect(zoomTo(2)).toEqual([200, 150]);
  expect(zoomTo(4)).toEqual([600, 450]);
  frame.scrollLeft = 0;
  hook.result.current.onScroll();
  expect(zoomTo(2)).toEqual([-100, 150]);
});

it('drags with a pressed mouse button, and leaves touch to scrolling', () => {
  const { frame, hook, zoomTo } = stage();
  zoomTo(2);
  hook.result.current.onPointerMove(moved('touch'));
  hook.result.current.onPointerMove(moved('mouse', 0));
  expect([frame.scrollLeft, frame.scrollTop]).toEqual([200, 150]);
  hook.result.current.onPointerMove(moved('mouse'));
  expect([frame.scrollLeft, frame.scrollTop]).toEqual([230, 170]);
});
