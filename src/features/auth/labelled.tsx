import ErrorIcon from '@mui/icons-material/ErrorOutlined';
import type { ReactNode } from 'react';
import { say } from '../../language/t.ts';

interface Props {
  id: string;
  label: string;
  error?: string | undefined;
  children: ReactNode;
}

/** A label, its control, and the first error for its value. */
export function Labelled({ id, label, error, children }: Props) {
  return (
    <div className="field" data-invalid={error !== undefined}>
      <div className="field-heading">
        <label htmlFor={id}>{label}</label>
      </div>
      {children}
      {error !== undefined && (
        <p className="field-error" id={errorId(id)}>
          <ErrorIcon aria-hidden fontSize="inherit" />
          {say(error)}
        </p>
      )}
    </div>
  );
}

/** The id of the error text, for `aria-describedby`. */
export function errorId(id: string): string {
  return `${id}-error`;
}
