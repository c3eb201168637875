import ErrorIcon from '@mui/icons-material/ErrorOutlined';
import type { ReactNode } from 'react';
import type { Field } from '../domain/fields.ts';

interface FieldFrameProps {
  readonly field: Field;
  readonly id: string;
  /** The server's first error. */
  readonly error: string | undefined;
  /** What the server would say, as far as this device can tell. */
  readonly hint: string | undefined;
  readonly children: ReactNode;
}

/** The label above a control, and the hint and error below it. */
export function FieldFrame({ field, id, error, hint, children }: FieldFrameProps) {
  return (
    <div className={`field field-${field.kind}`} data-invalid={error !== undefined}>
      <div className="field-heading">
        <label htmlFor={id}>{field.label}</label>
        {!field.required && <span className="field-optional">Optional</span>}
      </div>
      {children}
      {hint !== undefined && error === undefined && (
        <p className="field-hint field-warning" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          <ErrorIcon aria-hidden fontSize="inherit" />
          {error}
        </p>
      )}
    </div>
  );
}

/** The ids of what describes a control, for `aria-describedby`. */
export function describedBy(id: string, error: string | undefined, hint: string | undefined): string | undefined {
  if (error !== undefined) return `${id}-error`;
  return hint === undefined ? undefined : `${id}-hint`;
}
