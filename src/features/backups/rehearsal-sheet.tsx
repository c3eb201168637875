import { styled } from '@mui/material/styles';
import type { Difference, Rehearsed } from '../../domain/protocol/backups.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { notify } from '../../stores/notifications.ts';
import { Button } from '../../ui/button.tsx';
import { formatMoment, formatNumber } from '../../ui/format.ts';
import { Surface } from '../../ui/surface.tsx';
import { colour } from '../../ui/tokens.ts';
import { SheetHeading } from '../account/account-parts.tsx';
import '../../fields/fields.css';
import { say, t } from '../../language/t.ts';

/** What a restore would change, and how to carry it out. `now` is epoch milliseconds. */
export function RehearsalSheet({ rehearsed, now }: { rehearsed: Rehearsed; now: number }) {
  const { name, result } = rehearsed;
  const what = result.at === undefined ? name : formatMoment(Date.parse(result.at), now);
  const rows = rowsOf(rehearsed);
  return (
    <>
      <SheetHeading>{t('Rehearsal: what the backup of {time} would change', { time: what })}</SheetHeading>
      <Part aria-label={t('Rehearsal')}>
        <p>
          {t(
            'It holds {records, plural, one {# record} other {# records}} and {files, plural, one {# file} other {# files}}.',
            {
              records: result.total.records,
              files: result.total.files,
            },
          )}
        </p>
        {result.damaged.length > 0 && (
          <p className="warning">
            {t(
              '{count, plural, one {# file is} other {# files are}} missing or damaged in it. Restore another backup.',
              {
                count: result.damaged.length,
              },
            )}
          </p>
        )}
        {result.isNewer && <p className="warning">{t('It is of a newer release, which has to be installed first.')}</p>}
        {rows.length === 0 ? <p>{t('A restore would change nothing.')}</p> : <Differences rows={rows} />}
        {!result.isNewer && result.damaged.length === 0 && <Command command={rehearsed.command} />}
      </Part>
    </>
  );
}

type Row = readonly [label: string, difference: Difference];

function rowsOf({ result }: Rehearsed): readonly Row[] {
  const kinds = RESOURCES.flatMap(({ name, label }): Row[] => {
    const difference = result.records[name];
    return difference === undefined ? [] : [[say(label.many), difference]];
  });
  const others: readonly Row[] = [
    [say('Files'), result.files],
    [t('People'), result.people],
  ];
  return [...kinds, ...others.filter(([, { back, gone, changed }]) => back + gone + changed > 0)];
}

function Differences({ rows }: { rows: readonly Row[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('What')}</th>
          <th scope="col">{t('Come back')}</th>
          <th scope="col">{t('Be gone')}</th>
          <th scope="col">{t('As before')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, { back, gone, changed }]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{formatNumber(back)}</td>
            <td data-lost={gone > 0 || undefined}>{formatNumber(gone)}</td>
            <td>{formatNumber(changed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A running server never replaces its own data: whoever may restart it does, with this command. */
function Command({ command }: { command: string }) {
  const copy = () => {
    navigator.clipboard.writeText(command).then(
      () => notify(t('Copied'), { kind: 'done' }),
      () => notify(t('This browser blocks copying. Select the text and copy it yourself.'), { kind: 'error' }),
    );
  };
  return (
    <>
      <p>
        {t(
          'To restore it, stop the server, run this command on its machine, and start it again. What is there now is kept aside.',
        )}
      </p>
      <div className="command">
        <input
          className="control"
          readOnly
          aria-label={t('Command')}
          value={command}
          onFocus={(event) => event.target.select()}
        />
        <Button variant="outlined" color="inherit" onClick={copy}>
          {t('Copy')}
        </Button>
      </div>
    </>
  );
}

const Part = styled(Surface)(({ theme }) => ({
  '& p': { margin: theme.spacing(0, 0, 1.5), maxWidth: '70ch' },
  '& .warning': { color: colour.bad, fontWeight: 600 },
  '& table': { width: '100%', maxWidth: 640, marginBottom: theme.spacing(2), borderCollapse: 'collapse' },
  '& th, & td': { padding: theme.spacing(1, 0.5), borderBottom: `1px solid ${colour.line}`, textAlign: 'right' },
  '& th:first-of-type': { textAlign: 'left', overflowWrap: 'anywhere' },
  '& thead th': { ...theme.typography.body2, color: colour.quietText },
  '& tbody th': { fontWeight: 500 },
  '& td': { fontVariantNumeric: 'tabular-nums' },
  '& td[data-lost]': { color: colour.bad, fontWeight: 600 },
  '& .command': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) },
  '& .command .control': { flex: '1 1 280px', minWidth: 0, fontFamily: 'monospace' },
}));
