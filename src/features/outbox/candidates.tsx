import Button from '@mui/material/Button';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { routesOf } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { useEntryActions } from './use-entry-actions.ts';
import { Link } from '../../ui/link.tsx';
import { t } from '../../language/t.ts';

/** "Did this save?": lists the rows that may be this record, for the administrator to pick one. Retry means none of them is. */
export function Candidates({ entry }: { entry: OutboxEntry }) {
  const { adopt } = useEntryActions();
  if (entry.change.op !== 'create') return null;
  const { edit } = routesOf(resourceOf(entry.change.resource));
  return (
    <div className="entry-candidates">
      <p>{t('One of these records on the server may be this one. If none of them is, press Retry.')}</p>
      <ul>
        {entry.candidates?.map((id) => (
          <li key={id}>
            <Link to={edit(id)}>{t('Record {id}', { id: String(id) })}</Link>
            <Button size="small" variant="outlined" color="inherit" onClick={() => adopt(entry, id)}>
              {t('Yes, it is this one')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
