import { expect, onTestFinished, test, vi } from 'vitest';
import { shotOf } from '../../src/fields/photos/camera/shot.ts';
import { drawEdited } from '../../src/fields/photos/editor/draw.ts';
import {
  boxOf,
  editOf,
  firstStroke,
  type Point,
  sizeAfter,
  strokeByKey,
} from '../../src/fields/photos/editor/edits.ts';
import { exported } from '../../src/fields/photos/editor/export.ts';

const SIZE = { width: 400, height: 300 };

test('a stroke that leaves the picture ends at its edge', () => {
  const stroke = { from: { x: 350, y: 280 }, to: { x: 500, y: -20 } };
  expect(boxOf(stroke, SIZE)).toEqual({ x: 350, y: 0, width: 50, height: 280 });
  const below = { from: { x: 10, y: 20 }, to: { x: 60, y: 900 } };
  expect(boxOf(below, SIZE)).toEqual({ x: 10, y: 20, width: 50, height: 280 });
});

test('a slip of the finger changes nothing', () => {
  const slip = { from: { x: 10, y: 10 }, to: { x: 14, y: 12 } };
  expect(editOf('blur', slip, SIZE)).toBeUndefined();
  expect(editOf('arrow', slip, SIZE)).toBeUndefined();
  // 7 px of 400: a slip is measured by the longer side
  expect(editOf('arrow', { from: slip.from, to: { x: 17, y: 10 } }, SIZE)).toBeUndefined();
});

test('a crop along the edge, without any area, changes nothing', () => {
  expect(editOf('crop', { from: { x: 0, y: 0 }, to: { x: 300, y: 0 } }, SIZE)).toBeUndefined();
});

test('an arrow goes from where the stroke began to where it ended', () => {
  const stroke = { from: { x: 300, y: 200 }, to: { x: 20, y: 30 } };
  expect(editOf('arrow', stroke, SIZE)).toEqual({ kind: 'arrow', ...stroke });
});

test('a rotation swaps the sides, and a crop has the size of its frame', () => {
  expect(sizeAfter(SIZE, { kind: 'turn' })).toEqual({ width: 300, height: 400 });
  expect(sizeAfter(SIZE, { kind: 'crop', box: { x: 10, y: 10, width: 50, height: 60 } })).toEqual({
    width: 50,
    height: 60,
  });
});

test('arrow keys move the frame, and resize it with Shift; other keys do nothing', () => {
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

test.each([
  ['ArrowLeft', 'x', 0],
  ['ArrowRight', 'x', 400 - 160],
  ['ArrowUp', 'y', 0],
  ['ArrowDown', 'y', 300 - 90],
] as const)('a frame moved by %s stops at the edge and keeps its size', (key, axis, end) => {
  let stroke = firstStroke(SIZE);
  for (let press = 0; press < 100; press += 1) stroke = strokeByKey(stroke, key, false, SIZE) ?? stroke;
  const begun = boxOf(firstStroke(SIZE), SIZE);
  expect(boxOf(stroke, SIZE)).toEqual({ ...begun, [axis]: end });
});

test.each([
  ['ArrowRight', { x: 400, y: 195 }],
  ['ArrowDown', { x: 280, y: 300 }],
] as const)('a frame that is stretched by %s ends at the edge', (key, to) => {
  let stroke = firstStroke(SIZE);
  const { from } = stroke;
  for (let press = 0; press < 100; press += 1) stroke = strokeByKey(stroke, key, true, SIZE) ?? stroke;
  expect(stroke).toEqual({ from, to });
});

test('reports a browser that cannot draw', () => {
  const photo = { width: 400, height: 300 } as ImageBitmap;
  const canvas = { width: 1, height: 1, getContext: () => null } as unknown as HTMLCanvasElement;
  expect(() => drawEdited(photo, [], canvas)).toThrow('This browser can’t process images.');
});

interface Drawn {
  readonly from: { readonly width: number; readonly height: number };
  readonly to: readonly number[];
}

/** What is drawn onto fake canvases, in order. */
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
  ['a vertical line of text', { x: 0, y: 0, width: 8, height: 300 }, { width: 1, height: 7 }],
])('blurs %s to at most seven dots along its longer side, scaled to its frame', (_, box, dots) => {
  const drawn = drawing();
  const photo = { width: 400, height: 300 } as ImageBitmap;
  const canvas = new OffscreenCanvas(1, 1);
  drawEdited(photo, [{ kind: 'blur', box }], canvas);
  const last = drawn.at(-2);
  expect(last?.from).toMatchObject(dots);
  expect(last?.to).toEqual([0, 0, dots.width, dots.height, box.x, box.y, box.width, box.height]);
});

/** Canvases that record where the corners of each drawing land, and what they are saved as. */
function placing() {
  const placed: { size: number[]; corners: number[][] }[] = [];
  const saved: unknown[] = [];
  class Canvas {
    width: number;
    height: number;
    constructor(width: number, height: number) {
      this.width = width;
      this.height = height;
    }
    getContext() {
      let [shift, angle] = [[0, 0], 0];
      return {
        translate: (x: number, y: number) => (shift = [x, y]),
        rotate: (by: number) => (angle = by),
        drawImage: ({ width, height }: Canvas, x: number, y: number) => {
          const at = ([left = 0, top = 0]: number[]) => [
            Math.round((shift[0] ?? 0) + left * Math.cos(angle) - top * Math.sin(angle)),
            Math.round((shift[1] ?? 0) + left * Math.sin(angle) + top * Math.cos(angle)),
          ];
          const corners = [at([x, y]), at([x + width, y + height])];
          placed.push({ size: [this.width, this.height], corners });
        },
      };
    }
    async convertToBlob(options: { type: string }) {
      saved.push(options, this.width, this.height);
      return new Blob(['photo'], { type: options.type });
    }
  }
  vi.stubGlobal('OffscreenCanvas', Canvas);
  onTestFinished(() => void vi.unstubAllGlobals());
  return { placed, saved };
}

test('rotates clockwise: the top left corner moves to the top right', () => {
  const { placed } = placing();
  drawEdited(SIZE as ImageBitmap, [{ kind: 'turn' }], new OffscreenCanvas(1, 1));
  const [width, height] = [SIZE.height, SIZE.width];
  const turned = [
    [width, 0],
    [0, height],
  ];
  expect(placed[0]).toEqual({ size: [width, height], corners: turned });
  expect(placed.at(-1)?.size).toEqual([width, height]);
});

test('a crop keeps what lies in its frame', () => {
  const { placed } = placing();
  const box = { x: 30, y: 40, width: 100, height: 50 };
  drawEdited(SIZE as ImageBitmap, [{ kind: 'crop', box }], new OffscreenCanvas(1, 1));
  expect(placed[0]).toEqual({
    size: [100, 50],
    corners: [
      [-30, -40],
      [SIZE.width - 30, SIZE.height - 40],
    ],
  });
});

/** The points of an arrow's lines, in pixels of the picture. */
function arrowOf(from: Point, to: Point): number[][] {
  const points: number[][] = [];
  class Canvas {
    getContext() {
      let [left, top, angle] = [0, 0, 0];
      const over = (x: number, y: number) =>
        points.push([
          Math.round(left + x * Math.cos(angle) - y * Math.sin(angle)),
          Math.round(top + x * Math.sin(angle) + y * Math.cos(angle)),
        ]);
      return {
        translate: (x: number, y: number) => ([left, top] = [x, y]),
        rotate: (by: number) => (angle = by),
        moveTo: over,
        lineTo: over,
        drawImage() {},
        save() {},
        restore() {},
        beginPath() {},
        stroke() {},
      };
    }
  }
  vi.stubGlobal('OffscreenCanvas', Canvas);
  onTestFinished(() => void vi.unstubAllGlobals());
  drawEdited(SIZE as ImageBitmap, [{ kind: 'arrow', from, to }], new OffscreenCanvas(1, 1));
  return points;
}

test('an arrow is drawn from where its stroke began, and its head is where the stroke ended', () => {
  const [start, , oneSide, tip, otherSide] = arrowOf({ x: 350, y: 200 }, { x: 50, y: 200 });
  expect([start, tip]).toEqual([
    [350, 200],
    [50, 200],
  ]);
  expect([oneSide, otherSide]).toEqual([
    [68, 209],
    [68, 191],
  ]);
  const upwards = arrowOf({ x: 100, y: 250 }, { x: 130, y: 20 });
  expect([upwards[0], upwards[3]]).toEqual([
    [100, 250],
    [130, 20],
  ]);
});

test('the head of a short arrow is no longer than the arrow', () => {
  const [start, , oneSide, , otherSide] = arrowOf({ x: 100, y: 100 }, { x: 110, y: 100 });
  expect([start, oneSide, otherSide]).toEqual([
    [100, 100],
    [100, 95],
    [100, 105],
  ]);
});

test.each([
  ['image/png', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/webp', 'image/jpeg'],
])('an edited %s is saved as %s, at the size its edits leave', async (type, savedAs) => {
  const { saved } = placing();
  expect((await exported(SIZE as ImageBitmap, [{ kind: 'turn' }], type)).type).toBe(savedAs);
  expect(saved).toEqual([{ type: savedAs, quality: 0.86 }, SIZE.height, SIZE.width]);
});

test('a shot contains the whole camera picture, and is named by its time in UTC', async () => {
  const { placed, saved } = placing();
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 3, 8, 5, 9, 42), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const video = { videoWidth: 640, videoHeight: 480, width: 640, height: 480 };
  const shot = await shotOf(video as HTMLVideoElement);
  expect([shot.name, shot.type]).toEqual(['photo-20261103-080509-042.jpg', 'image/jpeg']);
  expect(shot.size).toBeGreaterThan(0);
  expect(saved).toEqual([{ type: 'image/jpeg', quality: 0.9 }, 640, 480]);
  expect(placed).toHaveLength(1);
});
