import Button from '@mui/material/Button';
import { type MouseEvent, useEffect, useRef } from 'react';
import type { Field } from '../../domain/fields.ts';
import { firstError, unplacedErrors } from './content.ts';
import type { FormSession } from './session.ts';
import { say, t } from '../../language/t.ts';

interface ErrorSummaryProps {
  readonly session: FormSession;
  readonly idOf: (field: Field) => string;
  readonly onSaveAnyway: () => void;
}

/** All errors at the top of the form, each linking to its field. */
export function ErrorSummary({ session, idOf, onSaveAnyway }: ErrorSummaryProps) {
  const { fields, errors, warned, attention, now } = session;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attention > 0) box.current?.focus();
  }, [attention]);
  const shown = warned ?? errors;
  const lines = fields
    .map((field) => ({ field, text: firstError(field, shown, now.files) }))
    .filter((line) => line.text !== undefined);
  const others = unplacedErrors(fields, shown);
  if (lines.length === 0 && others.length === 0) return null;
  const lead = (event: MouseEvent, field: Field) => {
    event.preventDefault();
    document.getElementById(idOf(field))?.focus();
  };
  return (
    <div className="form-summary" data-warning={warned !== undefined} role="alert" tabIndex={-1} ref={box}>
      <strong>{headingOf(lines.length, warned !== undefined)}</strong>
      <ul>
        {lines.map(({ field, text }) => (
          <li key={field.name}>
            <a href={`#${idOf(field)}`} onClick={(event) => lead(event, field)}>
              {say(text ?? '')}
            </a>
          </li>
        ))}
        {others.map((text) => (
          <li key={text}>{say(text)}</li>
        ))}
      </ul>
      {warned !== undefined && (
        <Button variant="outlined" color="inherit" onClick={onSaveAnyway}>
          {t('Save anyway')}
        </Button>
      )}
    </div>
  );
}

function headingOf(count: number, beforehand: boolean): string {
  if (count === 0) return t('The server refused this');
  if (beforehand) {
    return t(
      'You’re offline, and the server will probably reject this: check {count, plural, one {# field} other {# fields}}',
      { count },
    );
  }
  return t('Check {count, plural, one {# field} other {# fields}}', { count });
}
