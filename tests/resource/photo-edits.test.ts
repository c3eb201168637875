import { expect, onTestFinished, test, vi } from 'vitest';
import { drawEdited } from '../../src/fields/photos/editor/draw.ts';
import { boxOf, editOf, firstStroke, sizeAfter, strokeByKey } from '../../src/fields/photos/editor/edits.ts';

const SIZE = { width: 400, height: 300 };

test('a stroke that leaves the picture ends at its edge', () => {
  const stroke = { from: { x: 350, y: 280 }, to: { x: 500, y: -20 } };
  expect(boxOf(stroke, SIZE)).toEqual({ x: 350, y: 0, width: 50, height: 280 });
});

test('a slip of the finger changes nothing', () => {
  const slip = { from: { x: 10, y: 10 }, to: { x: 14, y: 12 } };
  expect(editOf('blur', slip, SIZE)).toBeUndefined();
  expect(editOf('arrow', slip, SIZE)).toBeUndefined();
});

test('a stroke along the edge, with nothing between its ends, changes nothing', () => {
  expect(editOf('crop', { from: { x: 0, y: 0 }, to: { x: 300, y: 0 } }, SIZE)).toBeUndefined();
});

test('an arrow goes from where the stroke began to where it ended', () => {
  const stroke = { from: { x: 300, y: 200 }, to: { x: 20, y: 30 } };
  expect(editOf('arrow', stroke, SIZE)).toEqual({ kind: 'arrow', ...stroke });
});

test('a turn exchanges the sides, a cut leaves its own', () => {
  expect(sizeAfter(SIZE, { kind: 'turn' })).toEqual({ width: 300, height: 400 });
  expect(sizeAfter(SIZE, { kind: 'crop', box: { x: 10, y: 10, width: 50, height: 60 } })).toEqual({
    width: 50,
    height: 60,
  });
});

test('the arrow keys move the frame, and change its far end with Shift; other keys do neither', () => {
  const stroke = firstStroke(SIZE);
  const moved = strokeByKey(stroke, 'ArrowRight', false, SIZE);
  expect(moved?.from).toEqual({ x: stroke.from.x + 8, y: stroke.from.y });
  expect(moved?.to).toEqual({ x: stroke.to.x + 8, y: stroke.to.y });
  expect(strokeByKey(stroke, 'ArrowUp', true, SIZE)).toEqual({
    from: stroke.from,
    to: { x: stroke.to.x, y: stroke.to.y - 8 },
  });
  expect(strokeByKey(stroke, 'Tab', false, SIZE)).toBeUndefined();
});

test('a browser that cannot draw says so in words', () => {
  const photo = { width: 400, height: 300 } as ImageBitmap;
  const canvas = { width: 1, height: 1, getContext: () => null } as unknown as HTMLCanvasElement;
  expect(() => drawEdited(photo, [], canvas)).toThrow('This browser can’t process images.');
});

interface Drawn {
  readonly from: { readonly width: number; readonly height: number };
  readonly to: readonly number[];
}

/** What is drawn onto canvases of the test's own, in its order. */
function drawing(): Drawn[] {
  const drawn: Drawn[] = [];
  class Canvas {
    width: number;
    height: number;
    constructor(width: number, height: number) {
      this.width = width;
      this.height = height;
    }
    getContext() {
      const drawImage = (from: Drawn['from'], ...to: number[]) => drawn.push({ from, to });
      return { drawImage };
    }
  }
  vi.stubGlobal('OffscreenCanvas', Canvas);
  onTestFinished(() => void vi.unstubAllGlobals());
  return drawn;
}

test.each([
  ['a number plate', { x: 10, y: 20, width: 300, height: 20 }, { width: 7, height: 1 }],
  ['a face', { x: 10, y: 20, width: 150, height: 200 }, { width: 5, height: 7 }],
  ['a line of writing that stands', { x: 0, y: 0, width: 8, height: 300 }, { width: 1, height: 7 }],
])('of %s that is blurred no more than seven dots are left, which fill its frame', (_, box, dots) => {
  const drawn = drawing();
  const photo = { width: 400, height: 300 } as ImageBitmap;
  const canvas = new OffscreenCanvas(1, 1);
  drawEdited(photo, [{ kind: 'blur', box }], canvas);
  const last = drawn.at(-2);
  expect(last?.from).toMatchObject(dots);
  expect(last?.to).toEqual([0, 0, dots.width, dots.height, box.x, box.y, box.width, box.height]);
});
