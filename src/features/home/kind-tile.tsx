import AddIcon from '@mui/icons-material/Add';
import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import { type ListReading, useList } from '../../api/reads.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { useMay } from '../../stores/session.ts';
import { formatMoment, formatNumber } from '../../ui/format.ts';
import { RESOURCE_ICONS } from '../../ui/resource-icons.ts';
import { colour, tint } from '../../ui/tokens.ts';
import { Link } from '../../ui/link.tsx';
import { msg, say, sayOf, t } from '../../language/t.ts';

/** One kind of record: its count and age, with links to its list and its create screen. */
export function KindTile({ resource }: { resource: Resource }) {
  const reading = useList(resource);
  const mayEdit = useMay('editor');
  const { list, create } = routesOf(resource);
  const Icon = RESOURCE_ICONS[resource.name];
  return (
    <Tile>
      <Mark aria-hidden="true">
        <Icon />
      </Mark>
      <div>
        <Name to={list}>{say(resource.label.many)}</Name>
        <Age>{ageOf(reading)}</Age>
      </div>
      <Count>{countOf(reading)}</Count>
      {mayEdit && (
        <Add component={Link} to={create} aria-label={sayOf(msg('New {what}'), resource.label.one)} size="small">
          <AddIcon fontSize="small" />
        </Add>
      )}
    </Tile>
  );
}

/** Without the list, its first rows or this device's new records are no count. */
function countOf({ rows, fetchedAt }: ListReading): string {
  return rows === undefined || fetchedAt === undefined ? '' : formatNumber(rows.length);
}

function ageOf({ fetchedAt, refreshing }: ListReading): string {
  if (fetchedAt === 0) return t('Saved copy');
  if (fetchedAt !== undefined) return t('Updated {time}', { time: formatMoment(fetchedAt, Date.now()) });
  return refreshing ? '\u00a0' : t('Not on this device yet');
}

const Tile = styled('li')(({ theme }) => ({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto auto',
  alignItems: 'center',
  columnGap: theme.spacing(1.75),
  padding: theme.spacing(1.5, 1.75),
  border: `1px solid ${colour.line}`,
  borderRadius: 16,
  backgroundColor: colour.surface,
  transition: 'border-color 120ms',
  // A phone at 200 % zoom.
  '@media (max-width: 279.95px)': { gridTemplateColumns: '1fr auto', rowGap: 8, '& > div': { gridColumn: '1 / -1' } },
  '&:hover': { borderColor: tint(colour.brand, 50, colour.line) },
}));

const Mark = styled('span')({
  display: 'grid',
  '@media (max-width: 279.95px)': { display: 'none' },
  placeItems: 'center',
  width: 44,
  height: 44,
  borderRadius: 12,
  color: colour.brand,
  backgroundColor: tint(colour.brand, 9),
});

// The link's target covers the whole tile, below the button.
const Name = styled(Link)({
  color: colour.text,
  fontWeight: 600,
  textDecoration: 'none',
  hyphens: 'auto',
  overflowWrap: 'anywhere',
  '&::after': { content: '""', position: 'absolute', inset: 0, borderRadius: 16 },
  '&:focus-visible': { outline: 'none' },
  '&:focus-visible::after': { outline: `2px solid ${colour.brand}`, outlineOffset: 2 },
});

const Age = styled('div')(({ theme }) => ({ ...theme.typography.caption, color: colour.quietText }));

const Count = styled('span')({
  fontSize: '1.25rem',
  fontWeight: 700,
  letterSpacing: '-0.02em',
  lineHeight: 1,
  fontVariantNumeric: 'tabular-nums',
});

const Add = styled(IconButton)({
  zIndex: 1,
  border: `1px solid ${colour.line}`,
  color: colour.brand,
}) as typeof IconButton;
