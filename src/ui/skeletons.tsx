import { styled } from '@mui/material/styles';
import { colour, tint } from './tokens.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

/** Grey lines where a list's rows will be. */
export function ListSkeleton({ rows = 6 }: { rows?: number }) {
  return <Waiting lines={rows} height={52} />;
}

/** Grey boxes where a form's fields will be. */
export function FormSkeleton({ fields = 6 }: { fields?: number }) {
  return <Waiting lines={fields} height={64} />;
}

function Waiting({ lines, height }: { lines: number; height: number }) {
  return (
    <Status>
      <VisuallyHidden>Loading</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        <Block key={line} style={{ height }} />
      ))}
    </Status>
  );
}

const Status = styled('output')({ display: 'block' });

const Block = styled('div')(({ theme }) => ({
  marginBottom: theme.spacing(1.25),
  borderRadius: 12,
  backgroundColor: tint(colour.text, 7),
  '@keyframes breathe': { '50%': { opacity: 0.45 } },
  animation: 'breathe 1.8s ease-in-out infinite',
}));
