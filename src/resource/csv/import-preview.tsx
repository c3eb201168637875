import { useState } from 'react';
import { TEXT_LENGTH } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import { ValueFieldInput } from '../../fields/value-field.tsx';
import { formatCount } from '../../ui/format.ts';
import { type countLines, hasErrors, type ImportLine, type ImportPlan } from './csv-import.ts';
import { wrongFields } from './line-fixes.ts';

/** More lines than anybody reads through; the counts speak for the rest. */
const SHOWN = 100;

interface ImportPreviewProps {
  readonly resource: Resource;
  readonly plan: ImportPlan;
  readonly counts: ReturnType<typeof countLines>;
  /** Puts a value of a line right. */
  readonly onFix: (line: ImportLine, field: string, value: string) => void;
}

/** What an import would do, line by line: first the lines with something wrong, which can be put right here. */
export function ImportPreview({ resource, plan, counts, onFix }: ImportPreviewProps) {
  const [errorsOnly, setErrorsOnly] = useState(false);
  // A line that is being put right stays where it is until the next look.
  const [wrongAtFirst] = useState(() => new Set(plan.lines.filter(hasErrors).map(({ line }) => line)));
  const isFirst = ({ line }: ImportLine) => wrongAtFirst.has(line);
  const rest = errorsOnly ? [] : plan.lines.filter((line) => !isFirst(line));
  const sorted = [...plan.lines.filter(isFirst), ...rest];
  const first = sorted.slice(0, SHOWN);
  return (
    <>
      <output className="import-counts">
        {formatCount(counts.created, 'new record')}, {formatCount(counts.changed, 'change')}
        {counts.wrong > 0 && (
          <>
            , <strong>{formatCount(counts.wrong, 'line')} with errors, left out</strong>
          </>
        )}
        .{plan.ignored.length > 0 && ` Columns not used: ${plan.ignored.join(', ')}.`}
      </output>
      {wrongAtFirst.size > 0 && (
        <label className="import-only">
          <input type="checkbox" checked={errorsOnly} onChange={() => setErrorsOnly(!errorsOnly)} />
          Show lines with errors only
        </label>
      )}
      <div className="import-lines">
        <table className="import-table">
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">{resource.label.one}</th>
              <th scope="col">What happens</th>
            </tr>
          </thead>
          <tbody>
            {first.map((line) => (
              <Line key={line.line} resource={resource} line={line} onFix={onFix} />
            ))}
          </tbody>
        </table>
      </div>
      {sorted.length > SHOWN && <p>and {formatCount(sorted.length - SHOWN, 'more line')}</p>}
    </>
  );
}

interface LineProps extends Pick<ImportPreviewProps, 'resource' | 'onFix'> {
  readonly line: ImportLine;
}

function Line({ resource, line, onFix }: LineProps) {
  // The field that is being put right keeps its control, also once nothing is wrong with it any more.
  const [offered] = useState(() => wrongFields(resource, line));
  const names = offered.map(({ name }) => name);
  const others = Object.entries(line.errors).filter(([field]) => !names.includes(field));
  return (
    <tr data-wrong={hasErrors(line)}>
      <td>{line.line}</td>
      <td>{line.title}</td>
      <td>
        {!hasErrors(line) && (line.recordId === undefined ? 'New' : `Changes record ${line.recordId}`)}
        {others.map(([field, texts]) => (
          <div key={field} className="import-problem">
            {texts[0]}
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
