import type { Resource } from '../../domain/resource.ts';
import { formatCount } from '../../ui/format.ts';
import type { countLines, ImportLine, ImportPlan } from './csv-import.ts';

/** More lines than anybody reads through; the counts speak for the rest. */
const SHOWN = 100;

interface ImportPreviewProps {
  readonly resource: Resource;
  readonly plan: ImportPlan;
  readonly counts: ReturnType<typeof countLines>;
}

/** What an import would do, line by line, with what is wrong in each. */
export function ImportPreview({ resource, plan, counts }: ImportPreviewProps) {
  const first = plan.lines.slice(0, SHOWN);
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
              <Line key={line.line} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      {plan.lines.length > SHOWN && <p>and {formatCount(plan.lines.length - SHOWN, 'more line')}</p>}
    </>
  );
}

function Line({ line }: { line: ImportLine }) {
  const problems = Object.entries(line.errors).map(([field, texts]) => ({ field, text: texts[0] ?? '' }));
  return (
    <tr data-wrong={problems.length > 0}>
      <td>{line.line}</td>
      <td>{line.title}</td>
      <td>
        {problems.length === 0 && (line.recordId === undefined ? 'New' : `Changes record ${line.recordId}`)}
        {problems.map(({ field, text }) => (
          <div key={field} className="import-problem">
            {text}
          </div>
        ))}
      </td>
    </tr>
  );
}
