import type { Size } from '../fit.ts';
import { type Box, type Edit, type Point, sizeAfter } from './edits.ts';
import { t } from '../../../language/t.ts';

type Canvas = HTMLCanvasElement | OffscreenCanvas;
type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
type Source = ImageBitmap | OffscreenCanvas;

const ARROW = '#e5231b';
/** The pixels left along the longer side of a blurred area. No face or number plate is recognisable with so few. */
const DOTS = 7;

/** Draws a photo with its edits, in order, onto `target`, and sets its size to the result. */
export function drawEdited(photo: ImageBitmap, edits: readonly Edit[], target: Canvas): void {
  let picture: Source = photo;
  for (const edit of edits) picture = edited(picture, edit);
  onto(target, picture).drawImage(picture, 0, 0);
}

function edited(picture: Source, edit: Edit): Source {
  const { width, height } = sizeAfter(picture, edit);
  const canvas = new OffscreenCanvas(width, height);
  const context = contextOf(canvas);
  if (edit.kind === 'turn') {
    context.translate(width, 0);
    context.rotate(Math.PI / 2);
    context.drawImage(picture, 0, 0);
  } else if (edit.kind === 'crop') context.drawImage(picture, -edit.box.x, -edit.box.y);
  else {
    context.drawImage(picture, 0, 0);
    if (edit.kind === 'arrow') drawArrow(context, edit.from, edit.to, picture);
    else blur(context, picture, edit.box);
  }
  return canvas;
}

function onto(target: Canvas, { width, height }: Size): Context {
  target.width = width;
  target.height = height;
  return contextOf(target);
}

function contextOf(canvas: Canvas): Context {
  const context = canvas.getContext('2d') as Context | null;
  if (context === null) throw new Error(t('This browser can’t process images.'));
  return context;
}

/** Draws a red arrow with a white outline, visible on any background. */
export function drawArrow(context: Context, from: Point, to: Point, { width, height }: Size): void {
  const thick = Math.max(4, Math.max(width, height) / 110);
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  context.save();
  context.translate(to.x, to.y);
  context.rotate(Math.atan2(to.y - from.y, to.x - from.x));
  const head = Math.min(thick * 4.5, length);
  context.beginPath();
  context.moveTo(-length, 0);
  context.lineTo(-head / 2, 0);
  context.moveTo(-head, -head / 2);
  context.lineTo(0, 0);
  context.lineTo(-head, head / 2);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const [style, line] of [
    ['#fff', thick * 1.7],
    [ARROW, thick],
  ] as const) {
    context.strokeStyle = style;
    context.lineWidth = line;
    context.stroke();
  }
  context.restore();
}

/** Scales an area down until its content is unrecognisable, and back up. */
function blur(context: Context, picture: Source, { x, y, width, height }: Box): void {
  const scale = DOTS / Math.max(width, height);
  const dots = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  let source: Source = picture;
  let from: Box = { x, y, width, height };
  // Halves repeatedly: one large step would keep single pixels of the original.
  while (from.width > dots.width || from.height > dots.height) {
    const half = { width: halved(from.width, dots.width), height: halved(from.height, dots.height) };
    const canvas = new OffscreenCanvas(half.width, half.height);
    contextOf(canvas).drawImage(source, from.x, from.y, from.width, from.height, 0, 0, half.width, half.height);
    source = canvas;
    from = { x: 0, y: 0, ...half };
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, from.width, from.height, x, y, width, height);
}

function halved(length: number, least: number): number {
  return Math.max(least, Math.ceil(length / 2));
}
