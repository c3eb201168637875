import type { Base, RecordId } from '../../domain/outbox/vocabulary.ts';
import type { Values } from '../../domain/validate.ts';

/** The part of a slide that the order dialog needs. */
export interface Slide {
  readonly recordId: RecordId;
  readonly values: Values;
  readonly base: Base;
  readonly image: string;
}

/** A slide and its values with a new serial. */
export interface Renumbered {
  readonly slide: Slide;
  readonly values: Values;
}

/** Sorts slides by serial. The sort is stable, and slides without a serial come last. */
export function bySerial(slides: readonly Slide[]): Slide[] {
  return slides.toSorted((a, b) => serialOf(a) - serialOf(b));
}

/** Moves one slide to a zero-based position, clamped to the list. */
export function movedTo(slides: readonly Slide[], recordId: RecordId, place: number): Slide[] {
  const moved = slides.find((slide) => slide.recordId === recordId);
  if (moved === undefined) return [...slides];
  const others = slides.filter((slide) => slide !== moved);
  others.splice(Math.max(0, Math.min(place, others.length)), 0, moved);
  return others;
}

/** The slides whose serial must change so that serials count from 1 in this order, with their new values. */
export function renumbered(slides: readonly Slide[]): Renumbered[] {
  return slides
    .map((slide, at) => ({ slide, values: { ...slide.values, serial: String(at + 1) } }))
    .filter(({ slide, values }) => slide.values['serial'] !== values.serial);
}

/** The slides after some changes were stored. Those count as unchanged, so the next save leaves them out. */
export function withStored(slides: readonly Slide[], stored: readonly Renumbered[]): Slide[] {
  const saved = new Map(stored.map(({ slide, values }) => [slide.recordId, values]));
  return slides.map((slide) => {
    const values = saved.get(slide.recordId);
    return values === undefined ? slide : { ...slide, values, base: { ...slide.base, values } };
  });
}

function serialOf(slide: Slide): number {
  const serial = Number.parseInt(slide.values['serial'] ?? '', 10);
  return Number.isNaN(serial) ? Number.MAX_SAFE_INTEGER : serial;
}
