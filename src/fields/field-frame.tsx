import ErrorIcon from '@mui/icons-material/ErrorOutlined';
import type { ReactNode } from 'react';
import type { Field } from '../domain/fields.ts';
import { say, t } from '../language/t.ts';

/** The message below a control: the server's error, an error this device expects from the server, or a note. */
export interface FieldMessage {
  readonly kind: 'error' | 'warning' | 'note';
  readonly text: ReactNode;
}

interface FieldFrameProps {
  readonly field: Field;
  readonly id: string;
  readonly message: FieldMessage | undefined;
  readonly children: ReactNode;
}

/** The label above a control and the message below it. Space is reserved, so nothing moves when a message appears. */
export function FieldFrame({ field, id, message, children }: FieldFrameProps) {
  return (
    <div className={`field field-${field.kind}`} data-invalid={message?.kind === 'error'}>
      <div className="field-heading">
        <label htmlFor={id} data-required={field.required || undefined}>
          {say(field.label)}
        </label>
        {!field.required && <span className="field-optional">{t('Optional')}</span>}
      </div>
      {children}
      <div className="field-message">
        {message !== undefined && (
          <p className={`field-${message.kind}`} id={messageId(id)}>
            {message.kind === 'error' && <ErrorIcon aria-hidden fontSize="inherit" />}
            {message.text}
          </p>
        )}
      </div>
    </div>
  );
}

/** Returns the message to show: the error, else the hint, else the note. */
export function messageOf(texts: {
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly note?: ReactNode;
}): FieldMessage | undefined {
  if (texts.error !== undefined) return { kind: 'error', text: say(texts.error) };
  if (texts.hint !== undefined) return { kind: 'warning', text: say(texts.hint) };
  return texts.note === undefined ? undefined : { kind: 'note', text: texts.note };
}

/** The id of the message of a control, for `aria-describedby`. */
export function messageId(id: string): string {
  return `${id}-message`;
}
