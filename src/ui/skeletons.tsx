import { styled } from '@mui/material/styles';
import { colour, tint } from './tokens.ts';
import { VisuallyHidden } from './visually-hidden.tsx';
import { t } from '../language/t.ts';

/** A skeleton of list rows: a picture, a name and a secondary line, in the final height. */
export function ListSkeleton({ rows = 6, height = 72 }: { rows?: number; height?: number }) {
  return (
    <Status>
      <VisuallyHidden>{t('Loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Row key={row} style={{ height }}>
          <i />
          <b />
          <b />
        </Row>
      ))}
    </Status>
  );
}

/** A skeleton of form fields: labels above controls, side by side if they fit. */
export function FormSkeleton({ fields = 6 }: { fields?: number }) {
  return (
    <Status>
      <VisuallyHidden>{t('Loading')}</VisuallyHidden>
      <Card>
        {Array.from({ length: fields }, (_, field) => (
          <div key={field}>
            <b />
            <i />
          </div>
        ))}
      </Card>
    </Status>
  );
}

const shapes = {
  '& b, & i': { display: 'block', borderRadius: 8, backgroundColor: tint(colour.text, 7) },
  '& b': { height: 12 },
  '@keyframes breathe': { '50%': { opacity: 0.45 } },
  animation: 'breathe 1.8s ease-in-out infinite',
};

const Status = styled('output')({ display: 'block' });

const Row = styled('div')({
  ...shapes,
  display: 'grid',
  gridTemplateColumns: '44px minmax(0, 1fr)',
  alignContent: 'center',
  gap: '8px 14px',
  borderBottom: `1px solid ${colour.line}`,
  '& i': { gridRow: '1 / 3', height: 44 },
  '& b': { width: '38%' },
  '& b:last-of-type': { width: '22%' },
});

const Card = styled('div')(({ theme }) => ({
  ...shapes,
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 320px), 1fr))',
  gap: theme.spacing(4, 2.5),
  padding: theme.spacing(3),
  border: `1px solid ${colour.line}`,
  borderRadius: 16,
  backgroundColor: colour.surface,
  '& b': { width: 96, marginBottom: 10 },
  '& i': { height: 46 },
}));
