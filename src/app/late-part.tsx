import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';

interface Props {
  /** Loads the part's code. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** Shown if the code cannot be loaded or the part fails. Nothing by default. */
  readonly instead?: ReactNode;
}

/** A part that loads after the first paint. If it fails, the other parts still work. */
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
