import { useMemo } from 'react';
import { MAX_FILE_BYTES } from '../../domain/limits.ts';
import type { Resource } from '../../domain/resource.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import { hintsFor } from './form-state.ts';
import type { RecordForm } from './use-record-form.ts';

/** Problems of what is typed and picked that are worth saying at once; that a field is still empty is said at Save. */
export function useHints(resource: Pick<Resource, 'fields'>, form: RecordForm, creating: boolean): FieldErrors {
  const { values, files } = form.state;
  return useMemo(() => {
    const all = hintsFor(resource.fields, { values, files }, { creating, maxFileBytes: MAX_FILE_BYTES });
    const picked = new Set(files.map(({ field }) => field));
    const filled = (name: string) => (values[name] ?? '') !== '' || picked.has(fieldNameOf(name));
    return Object.fromEntries(Object.entries(all).filter(([name]) => filled(name)));
  }, [resource, values, files, creating]);
}

/** `images` of `images.2`. */
function fieldNameOf(key: string): string {
  return key.replace(/\.\d+$/, '');
}
