import InboxIcon from '@mui/icons-material/InboxOutlined';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { useMay } from '../../stores/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { rich } from '../../language/rich.tsx';
import { say, t } from '../../language/t.ts';

/** The empty state of a list without records. */
export default function NothingThere({ resource, onImport }: { resource: Resource; onImport: () => void }) {
  if (!useMay('editor'))
    return <EmptyState icon={<InboxIcon />} title={t('No {what} yet', { what: say(resource.label.many) })} />;
  return (
    <EmptyState
      icon={<InboxIcon />}
      title={t('No {what} yet', { what: say(resource.label.many) })}
      action={
        <ButtonLink variant="contained" to={routesOf(resource).create}>
          {t('Create New')}
        </ButtonLink>
      }
    >
      {rich('Add the first one, or {link}.', {
        link: (
          <button type="button" className="text-button" onClick={onImport}>
            {t('import a CSV file')}
          </button>
        ),
      })}
    </EmptyState>
  );
}
