import { styled } from '@mui/material/styles';
import type { CSSProperties, ReactNode } from 'react';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { ListSkeleton } from '../../ui/skeletons.tsx';
import { colour, tint } from '../../ui/tokens.ts';
import type { ServerData } from './use-server-data.ts';
import { t } from '../../language/t.ts';

/** A skeleton while the first answer is pending, or the failure with Retry. */
export function LoadState({ data }: { data: ServerData<unknown> }) {
  const { value, failure, loading, reload } = data;
  if (failure !== undefined) {
    return (
      <FailureNotice message={failure} onRetry={reload} retrying={loading}>
        {t('This page needs a connection.')}
      </FailureNotice>
    );
  }
  return value === undefined ? <ListSkeleton rows={3} /> : null;
}

/** One row of a sheet: an icon, texts and actions. On a phone the actions are below. */
export function Line({
  mark,
  tone = colour.brand,
  title,
  note,
  children,
}: {
  mark: ReactNode;
  /** The colour of the icon, which supports the words. */
  tone?: string;
  title: ReactNode;
  note: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Row>
      <Mark aria-hidden="true" style={toneOf(tone)}>
        {mark}
      </Mark>
      <Words>
        <strong>{title}</strong>
        <span>{note}</span>
      </Words>
      {children !== undefined && <Ends>{children}</Ends>}
    </Row>
  );
}

/** Rows separated by thin lines. */
export const Lines = styled('ul')(({ theme }) => ({
  margin: theme.spacing(-1, 0),
  padding: 0,
  listStyle: 'none',
  '& > li + li': { borderTop: `1px solid ${colour.line}` },
}));

/** A small label next to a title. */
export function Chip({ tone = colour.brand, children }: { tone?: string; children: ReactNode }) {
  return <Label style={toneOf(tone)}>{children}</Label>;
}

function toneOf(tone: string): CSSProperties {
  return { '--tone': tone } as CSSProperties;
}

const Label = styled('span')({
  display: 'inline-block',
  marginInlineStart: 8,
  padding: '1px 8px',
  borderRadius: 999,
  backgroundColor: tint('var(--tone)', 12),
  color: 'var(--tone)',
  fontSize: '0.75rem',
  fontWeight: 600,
  lineHeight: 1.5,
});

/** A heading between two sheets. */
export const SheetHeading = styled('h2')(({ theme }) => ({
  ...theme.typography.h3,
  margin: theme.spacing(4, 0, 1.5),
}));

/** A secondary text below a heading. */
export const Explained = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  maxWidth: '70ch',
  margin: theme.spacing(-0.5, 0, 2),
  color: colour.quietText,
}));

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '44px minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: theme.spacing(1, 2),
  padding: theme.spacing(1.5, 0),
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: '44px minmax(0, 1fr)' },
}));

const Mark = styled('span')({
  display: 'grid',
  placeItems: 'center',
  width: 44,
  height: 44,
  borderRadius: '50%',
  backgroundColor: tint('var(--tone)', 10),
  color: 'var(--tone)',
  fontWeight: 700,
});

const Words = styled('div')(({ theme }) => ({
  minWidth: 0,
  '& > strong': { display: 'block', fontWeight: 600, overflowWrap: 'anywhere' },
  '& > span': { ...theme.typography.body2, display: 'block', color: colour.quietText, overflowWrap: 'anywhere' },
}));

const Ends = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  '& select.control': { width: 'auto', minHeight: 44 },
  [theme.breakpoints.down('sm')]: { gridColumn: '2 / -1' },
}));
