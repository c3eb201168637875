export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Scales a size down so that no side exceeds `longest`, keeping its proportions. Never scales up. */
export function fitWithin(size: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(size.width, size.height));
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}
