import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';

interface Props {
  /** Brings the part's code. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** What stands in for a part whose code cannot be had, or that fails. Nothing where it is left out. */
  readonly instead?: ReactNode;
}

/** A part that the first paint does without. One that fails takes no other with it. */
export function LatePart({ load, instead = null }: Props) {
  const [Part] = useState(() => lazy(load));
  return (
    <ErrorBoundary occasion="late" fallback={instead}>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </ErrorBoundary>
  );
}
