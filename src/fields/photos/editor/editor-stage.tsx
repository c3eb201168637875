import { type KeyboardEvent, type MouseEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { drawArrow, drawEdited } from './draw.ts';
import { boxOf, type Edit, editOf, firstStroke, type Point, type Stroke, strokeByKey, type Tool } from './edits.ts';
import { t } from '../../../language/t.ts';

interface EditorStageProps {
  readonly photo: ImageBitmap;
  readonly edits: readonly Edit[];
  readonly tool: Tool | undefined;
  readonly onEdit: (edit: Edit) => void;
}

/** The photo with its edits. A pointer draws on it. Arrow keys move a frame, with Shift they resize it, Enter applies it. */
export function EditorStage({ photo, edits, tool, onEdit }: EditorStageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [stroke, setStroke] = useState<Stroke>();
  useLayoutEffect(() => {
    if (canvas.current === null) return;
    drawEdited(photo, edits, canvas.current);
    if (stroke !== undefined && tool !== undefined) drawStroke(canvas.current, tool, stroke);
  }, [photo, edits, tool, stroke]);

  const finish = (last: Stroke | undefined) => {
    setStroke(undefined);
    const edit = last && tool && canvas.current ? editOf(tool, last, canvas.current) : undefined;
    if (edit !== undefined) onEdit(edit);
  };
  const keys = (event: KeyboardEvent) => {
    const size = canvas.current;
    if (tool === undefined || size === null) return;
    const now = stroke ?? firstStroke(size);
    const next = strokeByKey(now, event.key, event.shiftKey, size);
    if (next === undefined) return;
    event.preventDefault();
    setStroke(next);
  };
  const takeByKey = ({ detail }: MouseEvent) => {
    // A pointer's click follows the stroke it drew, so only clicks by keyboard count.
    if (detail === 0 && canvas.current !== null) finish(stroke ?? firstStroke(canvas.current));
  };
  const down = (event: PointerEvent<HTMLCanvasElement>) => {
    if (tool === undefined) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = placeOf(event);
    setStroke({ from, to: from });
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (stroke === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    setStroke({ ...stroke, to: placeOf(event) });
  };
  return (
    <button
      type="button"
      className="photo-editor-stage"
      aria-label={t('Photo: arrow keys move the frame, Shift with arrow keys resizes it, Enter applies it')}
      disabled={tool === undefined}
      onKeyDown={keys}
      onClick={takeByKey}
    >
      <canvas
        ref={canvas}
        data-tool={tool}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={() => finish(stroke)}
        onPointerCancel={() => setStroke(undefined)}
      />
    </button>
  );
}

/** The position of a pointer, in pixels of the picture. */
function placeOf({ currentTarget, clientX, clientY }: PointerEvent<HTMLCanvasElement>): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return {
    x: ((clientX - left) / width) * currentTarget.width,
    y: ((clientY - top) / height) * currentTarget.height,
  };
}

function drawStroke(canvas: HTMLCanvasElement, tool: Tool, stroke: Stroke): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  if (tool === 'arrow') return drawArrow(context, stroke.from, stroke.to, canvas);
  const { x, y, width, height } = boxOf(stroke, canvas);
  const line = Math.max(2, Math.max(canvas.width, canvas.height) / 300);
  if (tool === 'crop') {
    context.fillStyle = 'rgb(0 0 0 / 55%)';
    context.beginPath();
    context.rect(0, 0, canvas.width, canvas.height);
    context.rect(x, y, width, height);
    context.fill('evenodd');
  } else {
    context.fillStyle = 'rgb(255 255 255 / 45%)';
    context.fillRect(x, y, width, height);
  }
  context.lineWidth = line;
  context.strokeStyle = '#fff';
  context.strokeRect(x, y, width, height);
  context.setLineDash([line * 4, line * 3]);
  context.strokeStyle = '#000';
  context.strokeRect(x, y, width, height);
}
