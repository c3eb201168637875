import { useId, useState } from 'react';
import Button from '@mui/material/Button';
import { type AttachmentField, isAttachment, isManyFiles, TEXT_LENGTH } from '../../domain/fields.ts';
import { fieldOf, type Resource } from '../../domain/resource.ts';
import { emptied } from '../../fields/photos/emptied.ts';
import { ValueFieldInput } from '../../fields/value-field.tsx';
import type { ImportLine } from './csv-import.ts';
import type { Cause } from './line-fixes.ts';
import { say, t } from '../../language/t.ts';

/** Corrects many lines at once. */
export interface FillProps {
  /** Sets a value in these lines. */
  readonly onFill: (lines: readonly ImportLine[], field: string, value: string) => void;
  /** Names these files in every line that needs some in the field and names none. */
  readonly onFillFiles: (field: string, files: readonly File[]) => void;
}

interface CausesProps extends Partial<FillProps> {
  readonly resource: Resource;
  readonly causes: readonly Cause[];
}

/** The errors that many lines share, each said once and corrected for all. */
export function ImportCauses({ resource, causes, ...fill }: CausesProps) {
  if (causes.length === 0) return null;
  return (
    <ul className="import-causes" aria-label={t('Errors of many lines')}>
      {causes.map((cause) => (
        <li key={`${cause.field} ${cause.text}`}>
          <span className="import-problem">
            {t('{count, plural, one {# line} other {# lines}}', { count: cause.lines.length })}: {say(cause.text)}
          </span>
          <Remedy resource={resource} cause={cause} {...fill} />
        </li>
      ))}
    </ul>
  );
}

function Remedy({ resource, cause, onFill, onFillFiles }: Omit<CausesProps, 'causes'> & { readonly cause: Cause }) {
  const [value, setValue] = useState('');
  const field = fieldOf(resource, cause.field);
  if (field === undefined) return null;
  if (isAttachment(field)) {
    const isNamed = cause.lines.some(({ fileNames }) => (fileNames[field.name] ?? []).length > 0);
    return isNamed || onFillFiles === undefined ? null : <FilesForAll field={field} onFillFiles={onFillFiles} />;
  }
  if (onFill === undefined) return null;
  return (
    <div className="import-fill">
      <ValueFieldInput
        field={field.kind === 'lookup' ? { ...field, kind: 'text', maxLength: TEXT_LENGTH } : field}
        value={value}
        values={{}}
        onChange={setValue}
      />
      <Button variant="outlined" disabled={value === ''} onClick={() => onFill(cause.lines, field.name, value)}>
        {t('Fill in all')}
      </Button>
    </div>
  );
}

function FilesForAll({ field, onFillFiles }: Pick<FillProps, 'onFillFiles'> & { readonly field: AttachmentField }) {
  const id = useId();
  return (
    <label className="import-files" htmlFor={id}>
      {t('Choose for all')}
      <input
        id={id}
        type="file"
        multiple={isManyFiles(field)}
        accept={field.accept.join()}
        aria-label={t('{label} for all lines without one', { label: say(field.label) })}
        onChange={({ target }) => onFillFiles(field.name, emptied(target))}
      />
    </label>
  );
}
