import { useEffect, useState } from 'react';

/** Whether a component is still open, for work that ends after it. */
export interface Openness {
  /** False once the component has left the screen or was closed. */
  readonly isOpen: () => boolean;
  /** Closes it before it leaves the screen. */
  readonly close: () => void;
}

/** Tells work that outlives the component whether the component is still open. */
export function useOpen(): Openness {
  const [{ openness, open }] = useState(create);
  useEffect(() => {
    open();
    return openness.close;
  }, [openness, open]);
  return openness;
}

function create() {
  let isOpen = true;
  const set = (value: boolean) => () => {
    isOpen = value;
  };
  return { openness: { isOpen: () => isOpen, close: set(false) }, open: set(true) };
}
