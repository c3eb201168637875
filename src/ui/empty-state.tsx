import { styled } from '@mui/material/styles';
import { colour, tint } from './tokens.ts';
import type { ReactNode } from 'react';

interface Props {
  /** A large, muted icon. */
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  /** The next step, usually one button. */
  action?: ReactNode;
}

/** An empty state: what is missing, why, and what to do next. */
export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <Frame>
      {icon !== undefined && <Mark aria-hidden="true">{icon}</Mark>}
      <Title>{title}</Title>
      {children !== undefined && <Text>{children}</Text>}
      {action}
    </Frame>
  );
}

const Frame = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  gap: theme.spacing(1),
  padding: theme.spacing(7, 3),
  textAlign: 'center',
  border: `1px dashed ${colour.line}`,
  borderRadius: 16,
  backgroundColor: colour.surface,
}));

const Mark = styled('span')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 64,
  height: 64,
  marginBottom: theme.spacing(1),
  borderRadius: 20,
  color: colour.brand,
  backgroundColor: tint(colour.brand, 10),
  '& svg': { fontSize: 32 },
}));

const Title = styled('h2')(({ theme }) => ({
  ...theme.typography.h3,
  margin: 0,
  // Only without a text between, which has its own spacing.
  '& + :is(a, button)': { marginTop: theme.spacing(1.5) },
}));

const Text = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: theme.spacing(0, 0, 1.5),
  maxWidth: '46ch',
  color: colour.quietText,
}));
