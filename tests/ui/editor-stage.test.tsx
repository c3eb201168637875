import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawArrow, drawEdited } from '../../src/fields/photos/editor/draw.ts';
import { EditorStage } from '../../src/fields/photos/editor/editor-stage.tsx';
import type { Edit, Tool } from '../../src/fields/photos/editor/edits.ts';

vi.mock('../../src/fields/photos/editor/draw.ts', () => ({ drawEdited: vi.fn(), drawArrow: vi.fn() }));

const PHOTO = { width: 400, height: 300 } as ImageBitmap;
const onEdit = vi.fn<(edit: Edit) => void>();

beforeEach(() => {
  HTMLCanvasElement.prototype.getContext = () => null;
  vi.mocked(drawEdited).mockImplementation((_photo, _edits, canvas) =>
    Object.assign(canvas, { width: 400, height: 300 }),
  );
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

/** The stage at half the picture's size, 10 px from the window's corner. */
function open(tool: Tool | undefined, edits: readonly Edit[] = []) {
  render(<EditorStage photo={PHOTO} edits={edits} tool={tool} onEdit={onEdit} />);
  const stage = screen.getByRole<HTMLButtonElement>('button');
  const canvas = stage.querySelector('canvas') as HTMLCanvasElement;
  let captured: number | undefined;
  canvas.getBoundingClientRect = () => new DOMRect(10, 10, 200, 150);
  canvas.setPointerCapture = (id) => void (captured = id);
  canvas.hasPointerCapture = (id) => captured === id;
  const point = (kind: 'pointerDown' | 'pointerMove' | 'pointerUp' | 'pointerCancel', x: number, y: number, id = 1) => {
    fireEvent[kind](canvas, { clientX: x, clientY: y, pointerId: id });
  };
  return { stage, point };
}

test('draws in the picture’s own pixels, and applies the stroke when the pointer is lifted', () => {
  const { point } = open('crop');
  point('pointerDown', 30, 40);
  point('pointerMove', 60, 60);
  point('pointerMove', 110, 90);
  expect(onEdit).not.toHaveBeenCalled();
  point('pointerUp', 110, 90);
  expect(onEdit).toHaveBeenCalledExactlyOnceWith({ kind: 'crop', box: { x: 40, y: 60, width: 160, height: 100 } });
});

test('ignores a second finger, and a stroke that the system cancels', () => {
  const { point } = open('blur');
  point('pointerDown', 30, 40);
  point('pointerMove', 110, 90, 2);
  point('pointerUp', 30, 40);
  expect(onEdit).not.toHaveBeenCalled();
  point('pointerDown', 30, 40);
  point('pointerMove', 110, 90);
  point('pointerCancel', 110, 90);
  point('pointerUp', 110, 90);
  expect(onEdit).not.toHaveBeenCalled();
});

test('arrow keys move the frame and not the page; other keys are left to the page', () => {
  const { stage } = open('crop');
  expect(fireEvent.keyDown(stage, { key: 'ArrowLeft' })).toBe(false);
  expect(fireEvent.keyDown(stage, { key: 'Tab' })).toBe(true);
});

test('Enter applies the frame; the click after a pointer’s stroke applies nothing', () => {
  const { stage } = open('crop');
  fireEvent.click(stage, { detail: 1 });
  expect(onEdit).not.toHaveBeenCalled();
  fireEvent.keyDown(stage, { key: 'ArrowRight' });
  fireEvent.click(stage, { detail: 0 });
  expect(onEdit).toHaveBeenCalledExactlyOnceWith({ kind: 'crop', box: { x: 128, y: 105, width: 160, height: 90 } });
  // the next frame begins over the middle again
  fireEvent.click(stage, { detail: 0 });
  expect(onEdit).toHaveBeenLastCalledWith({ kind: 'crop', box: { x: 120, y: 105, width: 160, height: 90 } });
});

test('draws nothing without a tool', () => {
  const { stage, point } = open(undefined);
  expect(stage.disabled).toBe(true);
  point('pointerDown', 30, 40);
  point('pointerMove', 110, 90);
  point('pointerUp', 110, 90);
  expect(onEdit).not.toHaveBeenCalled();
});

test('the photo is drawn with all its edits, again after each', () => {
  const turned: readonly Edit[] = [{ kind: 'turn' }];
  open(undefined, turned);
  expect(vi.mocked(drawEdited).mock.lastCall?.slice(0, 2)).toEqual([PHOTO, turned]);
});

/** What is drawn over the photo from now on: the frames, and the areas that are filled. */
function drawnOver() {
  const frames: number[][] = [];
  const filled: number[][] = [];
  const context = {
    beginPath() {},
    setLineDash() {},
    rect: (...box: number[]) => filled.push(box),
    fill() {},
    fillRect: (...box: number[]) => filled.push(box),
    strokeRect: (...box: number[]) => frames.push(box),
  };
  HTMLCanvasElement.prototype.getContext = () => context as never;
  return { frames, filled };
}

test('shows the frame of a crop while it is drawn, and darkens what it cuts off', () => {
  const { point } = open('crop');
  const { frames, filled } = drawnOver();
  point('pointerDown', 30, 40);
  point('pointerMove', 110, 90);
  expect(frames.at(-1)).toEqual([40, 60, 160, 100]);
  // the second area is left out of the first
  expect(filled.slice(-2)).toEqual([
    [0, 0, 400, 300],
    [40, 60, 160, 100],
  ]);
});

test('shows the frame of a blur while it is drawn, and lightens only that', () => {
  const { stage } = open('blur');
  const { frames, filled } = drawnOver();
  fireEvent.keyDown(stage, { key: 'ArrowRight' });
  expect(frames.at(-1)).toEqual([128, 105, 160, 90]);
  expect(filled).toEqual([[128, 105, 160, 90]]);
});

test('shows an arrow towards the pointer while it is drawn', () => {
  const { point } = open('arrow');
  const { frames } = drawnOver();
  point('pointerDown', 30, 40);
  point('pointerMove', 110, 90);
  expect(vi.mocked(drawArrow).mock.lastCall?.slice(1, 3)).toEqual([
    { x: 40, y: 60 },
    { x: 200, y: 160 },
  ]);
  point('pointerCancel', 110, 90);
  expect([frames, vi.mocked(drawArrow).mock.calls.length]).toEqual([[], 2]);
});
