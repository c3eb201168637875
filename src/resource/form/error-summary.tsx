import Button from '@mui/material/Button';
import { type MouseEvent, useEffect, useRef } from 'react';
import type { Field } from '../../domain/fields.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import type { FormFile } from '../../fields/form-file.ts';
import { firstError, unplacedErrors } from './form-state.ts';

interface ErrorSummaryProps {
  readonly fields: readonly Field[];
  readonly files: readonly FormFile[];
  /** The server's errors. */
  readonly errors: FieldErrors;
  /** What the server would refuse, said beforehand. */
  readonly warned: FieldErrors | undefined;
  /** Changes when the summary is to take the focus. */
  readonly attention: number;
  readonly idOf: (field: Field) => string;
  readonly onSaveAnyway: () => void;
}

/** What is wrong, in one place at the top, each line leading to its field. */
export function ErrorSummary(props: ErrorSummaryProps) {
  const { errors, warned, attention } = props;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attention > 0) box.current?.focus();
  }, [attention]);
  const shown = warned ?? errors;
  const lines = props.fields
    .map((field) => ({ field, text: firstError(field, shown, props.files) }))
    .filter((line) => line.text !== undefined);
  const others = unplacedErrors(props.fields, shown);
  if (lines.length === 0 && others.length === 0) return null;
  const lead = (event: MouseEvent, field: Field) => {
    event.preventDefault();
    document.getElementById(props.idOf(field))?.focus();
  };
  return (
    <div className="form-summary" data-warning={warned !== undefined} role="alert" tabIndex={-1} ref={box}>
      <strong>{headingOf(lines.length, warned !== undefined)}</strong>
      <ul>
        {lines.map(({ field, text }) => (
          <li key={field.name}>
            <a href={`#${props.idOf(field)}`} onClick={(event) => lead(event, field)}>
              {text}
            </a>
          </li>
        ))}
        {others.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {warned !== undefined && (
        <Button variant="outlined" color="inherit" onClick={props.onSaveAnyway}>
          Save anyway
        </Button>
      )}
    </div>
  );
}

function headingOf(count: number, beforehand: boolean): string {
  if (count === 0) return 'The server refused this';
  const check = count === 1 ? 'heck 1 field' : `heck ${count} fields`;
  return beforehand ? `You’re offline, and the server will probably reject this: c${check}` : `C${check}`;
}
