import { styled } from '@mui/material/styles';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { colour } from './tokens.ts';

interface Props {
  open: boolean;
  onClose: () => void;
  /** The control that opened it. Escape returns the focus to it. */
  anchor: RefObject<HTMLElement | null>;
  label: string;
  children: ReactNode;
}

/** A small sheet below the control that opened it. Closes on Escape, on a click outside and when the focus leaves. */
export function Popover({ open, onClose, anchor, label, children }: Props) {
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    sheet.current?.focus();
    const isOutside = (target: EventTarget | null) =>
      target instanceof Node && !sheet.current?.contains(target) && !anchor.current?.contains(target);
    const leave = (event: Event) => isOutside(event.target) && onClose();
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      onClose();
      anchor.current?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', escape);
    };
  }, [open, onClose, anchor]);
  return open ? (
    <Sheet ref={sheet} tabIndex={-1} aria-label={label} data-sheet>
      {children}
    </Sheet>
  ) : null;
}

const Sheet = styled('section')({
  position: 'absolute',
  zIndex: 1100,
  top: 'calc(100% + 8px)',
  insetInlineEnd: 0,
  minWidth: 264,
  maxWidth: 'calc(100vw - 24px)',
  padding: 12,
  border: `1px solid ${colour.line}`,
  borderRadius: 16,
  backgroundColor: colour.surface,
  boxShadow: '0 16px 40px rgb(4 22 27 / 0.18)',
  outline: 'none',
});
