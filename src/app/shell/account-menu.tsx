import { styled } from '@mui/material/styles';
import { useCallback, useRef, useState } from 'react';
import { initialsOf } from '../../ui/initials-of.ts';
import { optional } from '../../ui/late.tsx';
import { Popover } from '../../ui/popover.tsx';
import { colour, tint } from '../../ui/tokens.ts';
import { t } from '../../language/t.ts';

// Loaded when the menu first opens, because the first paint does not need it.
const AccountLinks = optional(() => import('./account-links.tsx'));

interface Props {
  name: string;
  /** The top bar has no space for the account's links, so the menu contains them. */
  compact: boolean;
  onLogOut: () => void;
}

/** The user's name, which opens the menu of this account and this device. */
export function AccountMenu({ name, compact, onLogOut }: Props) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <Place>
      <Opener ref={anchor} type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Initial aria-hidden="true">{initialsOf(name)}</Initial>
        <Name data-compact={compact || undefined}>{name}</Name>
      </Opener>
      <Popover open={open} onClose={close} anchor={anchor} label={t('Account')}>
        <AccountLinks name={name} compact={compact} onLogOut={onLogOut} onClose={close} onMissing={close} />
      </Popover>
    </Place>
  );
}

const Place = styled('div')({ position: 'relative' });

const Opener = styled('button')({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minHeight: 44,
  padding: '0 8px',
  border: 0,
  borderRadius: 12,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  fontWeight: 600,
  cursor: 'pointer',
  '&:hover': { backgroundColor: tint(colour.text, 6) },
  '&:focus-visible': { borderRadius: 12 },
});

const Initial = styled('span')({
  display: 'grid',
  placeItems: 'center',
  width: 32,
  height: 32,
  borderRadius: '50%',
  backgroundColor: tint(colour.brand, 14),
  color: colour.brand,
  fontSize: '0.875rem',
  fontWeight: 700,
});

// On a phone the name moves into the menu, but it stays the button's accessible name.
const Name = styled('span')({
  maxWidth: 180,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  '@media (max-width: 599.95px)': { '&[data-compact]': { position: 'absolute', width: 1, clipPath: 'inset(50%)' } },
});
