import type { Size } from '../fit.ts';

/** A point in a picture, in its pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle of a picture, in its pixels. */
export interface Box extends Point, Size {}

export type Tool = 'crop' | 'arrow' | 'blur';

/** One edit of a photo. Its coordinates refer to the result of the previous edits. */
export type Edit =
  | { readonly kind: 'turn' }
  | { readonly kind: 'arrow'; readonly from: Point; readonly to: Point }
  | { readonly kind: 'crop' | 'blur'; readonly box: Box };

/** A line drawn with a tool. */
export interface Stroke {
  readonly from: Point;
  readonly to: Point;
}

/** Shorter strokes are accidental. A fraction of the picture's longer side. */
const SLIP = 0.02;

/** Returns the edit for a stroke. Undefined if the stroke is accidental. */
export function editOf(tool: Tool, { from, to }: Stroke, size: Size): Edit | undefined {
  const longest = Math.max(size.width, size.height);
  if (Math.hypot(to.x - from.x, to.y - from.y) < longest * SLIP) return undefined;
  if (tool === 'arrow') return { kind: 'arrow', from, to };
  const box = boxOf({ from, to }, size);
  return box.width < 1 || box.height < 1 ? undefined : { kind: tool, box };
}

/** The rectangle between a stroke's ends, in whole pixels and within the picture. */
export function boxOf({ from, to }: Stroke, size: Size): Box {
  const left = within(Math.round(Math.min(from.x, to.x)), size.width);
  const top = within(Math.round(Math.min(from.y, to.y)), size.height);
  const right = within(Math.round(Math.max(from.x, to.x)), size.width);
  const bottom = within(Math.round(Math.max(from.y, to.y)), size.height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The initial stroke for the keyboard, over the middle of the picture. */
export function firstStroke({ width, height }: Size): Stroke {
  return { from: { x: width * 0.3, y: height * 0.35 }, to: { x: width * 0.7, y: height * 0.65 } };
}

const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * Returns the stroke moved by an arrow key; with `stretch`, only its end moves. It stops at the picture's edge, and keeps its
 * size there. Undefined for other keys.
 */
export function strokeByKey(stroke: Stroke, key: string, stretch: boolean, size: Size): Stroke | undefined {
  const step = STEPS[key];
  if (step === undefined) return undefined;
  const by = Math.max(size.width, size.height) / 50;
  const ends = stretch ? [stroke.to] : [stroke.from, stroke.to];
  const room = (axis: keyof Point, most: number) =>
    roomFor(
      step[axis] * by,
      ends.map((end) => end[axis]),
      most,
    );
  const [right, down] = [room('x', size.width), room('y', size.height)];
  const moved = ({ x, y }: Point) => ({ x: x + right, y: y + down });
  return { from: stretch ? stroke.from : moved(stroke.from), to: moved(stroke.to) };
}

/** How far all `places` can move by `step` without leaving the range from 0 to `most`. */
function roomFor(step: number, places: readonly number[], most: number): number {
  return Math.min(most - Math.max(...places), Math.max(-Math.min(...places), step));
}

/** The size of a picture after an edit. */
export function sizeAfter({ width, height }: Size, edit: Edit): Size {
  if (edit.kind === 'turn') return { width: height, height: width };
  return edit.kind === 'crop' ? { width: edit.box.width, height: edit.box.height } : { width, height };
}

function within(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
