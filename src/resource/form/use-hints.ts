import { useMemo } from 'react';
import { MAX_FILE_BYTES } from '../../domain/limits.ts';
import type { Resource } from '../../domain/resource.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import { hintsFor } from './form-state.ts';
import type { RecordForm } from './use-record-form.ts';

/** Format problems worth saying while typing; that a field is still empty is said at Save. */
export function useHints(resource: Resource, form: RecordForm, creating: boolean): FieldErrors {
  const { values, files } = form.state;
  return useMemo(() => {
    const all = hintsFor(resource.fields, { values, files }, { creating, maxFileBytes: MAX_FILE_BYTES });
    return Object.fromEntries(Object.entries(all).filter(([name]) => (values[name] ?? '') !== ''));
  }, [resource, values, files, creating]);
}
