import { useState } from 'react';
import { TEXT_LENGTH } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import { ValueFieldInput } from '../../fields/value-field.tsx';

import { type countLines, hasErrors, type ImportLine, type ImportPlan } from './csv-import.ts';
import { type FillProps, ImportCauses } from './import-causes.tsx';
import { type Cause, sharedCauses, wrongFields } from './line-fixes.ts';
import { say, t } from '../../language/t.ts';

/** Maximum number of lines shown. Counts cover the rest. */
const SHOWN = 100;

interface ImportPreviewProps extends Partial<FillProps> {
  readonly resource: Resource;
  readonly plan: ImportPlan;
  readonly counts: ReturnType<typeof countLines>;
  /** Fixes a value of a line. */
  readonly onFix: (line: ImportLine, field: string, value: string) => void;
}

/** What an import would do, per line. Lines with errors come first and can be fixed here. Those that change nothing come last. */
export function ImportPreview({ resource, plan, counts, onFix, ...fill }: ImportPreviewProps) {
  const causes = sharedCauses(plan.lines);
  const [errorsOnly, setErrorsOnly] = useState(false);
  // A line keeps its position while it is being fixed.
  const [wrongAtFirst] = useState(() => new Set(plan.lines.filter(hasErrors).map(({ line }) => line)));
  const isFirst = ({ line }: ImportLine) => wrongAtFirst.has(line);
  const rest = errorsOnly ? [] : plan.lines.filter((line) => !isFirst(line));
  const [same, others] = [rest.filter(({ unchanged }) => unchanged), rest.filter(({ unchanged }) => !unchanged)];
  const sorted = [...plan.lines.filter(isFirst), ...others, ...same];
  const first = sorted.slice(0, SHOWN);
  return (
    <>
      <output className="import-counts">
        {t('{count, plural, one {# new record} other {# new records}}', { count: counts.created })},{' '}
        {t('{count, plural, one {# change} other {# changes}}', { count: counts.changed })}
        {counts.wrong > 0 && (
          <>
            ,{' '}
            <strong>
              {t('{count, plural, one {# line with errors, left out} other {# lines with errors, left out}}', {
                count: counts.wrong,
              })}
            </strong>
          </>
        )}
        .{plan.ignored.length > 0 && ` ${t('Columns not used: {names}.', { names: plan.ignored.join(', ') })}`}
      </output>
      {wrongAtFirst.size > 0 && (
        <label className="import-only">
          <input type="checkbox" checked={errorsOnly} onChange={() => setErrorsOnly(!errorsOnly)} />
          {t('Show lines with errors only')}
        </label>
      )}
      <ImportCauses resource={resource} causes={causes} {...fill} />
      <div className="import-lines">
        <table className="import-table">
          <thead>
            <tr>
              <th scope="col">{t('Line')}</th>
              <th scope="col">{say(resource.label.one)}</th>
              <th scope="col">{t('What happens')}</th>
            </tr>
          </thead>
          <tbody>
            {first.map((line) => (
              <Line key={line.line} resource={resource} line={line} causes={causes} onFix={onFix} />
            ))}
          </tbody>
        </table>
      </div>
      {sorted.length > SHOWN && (
        <p>{t('and {count, plural, one {# more line} other {# more lines}}', { count: sorted.length - SHOWN })}</p>
      )}
    </>
  );
}

interface LineProps extends Pick<ImportPreviewProps, 'resource' | 'onFix'> {
  readonly line: ImportLine;
  /** What is said above for many lines. */
  readonly causes: readonly Cause[];
}

function Line({ resource, line, causes, onFix }: LineProps) {
  // A fixed field keeps its control even when its error is gone.
  const [offered] = useState(() => wrongFields(resource, line));
  const names = offered.map(({ name }) => name);
  const isShared = (field: string, text: string) =>
    causes.some((cause) => cause.field === field && cause.text === text);
  const others = Object.entries(line.errors).filter(
    ([field, [text = '']]) => !names.includes(field) && !isShared(field, text),
  );
  return (
    <tr data-wrong={hasErrors(line)}>
      <td>{line.line}</td>
      <td>{line.title}</td>
      <td>
        {!hasErrors(line) && effectOf(line)}
        {hasErrors(line) && others.length === 0 && offered.length === 0 && t('Not complete yet')}
        {others.map(([field, texts]) => (
          <div key={field} className="import-problem">
            {say(texts[0] ?? '')}
          </div>
        ))}
        {offered.map((field) => (
          <ValueFieldInput
            key={field.name}
            field={field.kind === 'lookup' ? { ...field, kind: 'text', maxLength: TEXT_LENGTH } : field}
            value={line.values[field.name] ?? ''}
            values={line.values}
            error={line.errors[field.name]?.[0]}
            onChange={(value) => onFix(line, field.name, value)}
          />
        ))}
      </td>
    </tr>
  );
}

function effectOf({ recordId, unchanged }: ImportLine): string {
  if (recordId === undefined) return t('New');
  return unchanged ? t('No change') : t('Changes record {id}', { id: recordId });
}
