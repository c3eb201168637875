import InboxIcon from '@mui/icons-material/InboxOutlined';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { useMay } from '../../stores/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** A list without any record. */
export default function NothingThere({ resource, onImport }: { resource: Resource; onImport: () => void }) {
  if (!useMay('editor')) return <EmptyState icon={<InboxIcon />} title={`No ${resource.label.many} yet`} />;
  return (
    <EmptyState
      icon={<InboxIcon />}
      title={`No ${resource.label.many} yet`}
      action={
        <ButtonLink variant="contained" to={routesOf(resource).create}>
          Create New
        </ButtonLink>
      }
    >
      Add the first one, or{' '}
      <button type="button" className="text-button" onClick={onImport}>
        import a CSV file
      </button>
      .
    </EmptyState>
  );
}
