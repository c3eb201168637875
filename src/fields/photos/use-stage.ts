import { type PointerEvent, useCallback, useLayoutEffect, useRef } from 'react';

/** Props of the scrolling frame around a zoomed picture. */
export interface Stage {
  readonly ref: (frame: HTMLElement | null) => void;
  readonly onScroll: () => void;
  readonly onPointerMove: (event: PointerEvent) => void;
}

interface Middle {
  readonly x: number;
  readonly y: number;
}

const CENTRE: Middle = { x: 0.5, y: 0.5 };

/** Keeps a picture centred while zooming, and lets a mouse drag it. Fingers scroll it. */
export function useStage(zoom: number): Stage {
  const frame = useRef<HTMLElement>(null);
  const middle = useRef(CENTRE);
  useLayoutEffect(() => {
    if (zoom === 1) middle.current = CENTRE;
    if (frame.current !== null) moveTo(frame.current, middle.current);
  }, [zoom]);
  const ref = useCallback((element: HTMLElement | null) => {
    frame.current = element;
  }, []);
  const onScroll = () => {
    if (frame.current !== null && zoom > 1) middle.current = middleOf(frame.current);
  };
  const onPointerMove = ({ buttons, pointerType, movementX, movementY }: PointerEvent) => {
    if (pointerType === 'mouse' && (buttons & 1) === 1) frame.current?.scrollBy(-movementX, -movementY);
  };
  return { ref, onScroll, onPointerMove };
}

/** The point in the middle of the frame, as fractions of the whole. */
function middleOf({
  scrollLeft,
  scrollTop,
  clientWidth,
  clientHeight,
  scrollWidth,
  scrollHeight,
}: HTMLElement): Middle {
  return { x: (scrollLeft + clientWidth / 2) / scrollWidth, y: (scrollTop + clientHeight / 2) / scrollHeight };
}

function moveTo(frame: HTMLElement, { x, y }: Middle): void {
  frame.scrollLeft = x * frame.scrollWidth - frame.clientWidth / 2;
  frame.scrollTop = y * frame.scrollHeight - frame.clientHeight / 2;
}
