import type { CSSProperties, ElementType, ReactNode } from 'react';

const HIDDEN: CSSProperties = {
  position: 'absolute',
  width: 1,
  height: 1,
  margin: -1,
  padding: 0,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
  border: 0,
};

interface Props {
  children?: ReactNode;
  /** The element to render. Defaults to `span`. */
  as?: ElementType;
  /** Announces changes of the content. */
  live?: 'polite' | 'assertive';
}

/** Text for screen readers only. */
export function VisuallyHidden({ children, as: Element = 'span', live }: Props) {
  return (
    <Element style={HIDDEN} aria-live={live}>
      {children}
    </Element>
  );
}
