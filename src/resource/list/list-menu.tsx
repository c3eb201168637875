import AddIcon from '@mui/icons-material/Add';
import MoreIcon from '@mui/icons-material/MoreHoriz';
import { Suspense, useState } from 'react';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { useMay } from '../../stores/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { late, usePrefetch } from '../../ui/late.tsx';
import type { ListActionsProps } from './list-actions.tsx';
import { t } from '../../language/t.ts';

// Deferred: the list renders without it.
const ListActions = late(() => import('./list-actions.tsx'));

const LATE = [ListActions];

interface ListMenuProps {
  readonly resource: Resource;
  /** Undefined while the list is not here: actions on all rows need all rows. */
  readonly actions: ListActionsProps | undefined;
}

/** The actions of a list: Create New, and a menu of secondary ones. */
export function ListMenu({ resource, actions }: ListMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [used, setUsed] = useState(false);
  usePrefetch(LATE);
  const mayEdit = useMay('editor');
  return (
    <>
      <Button
        color="inherit"
        variant="outlined"
        aria-haspopup="menu"
        disabled={actions === undefined}
        aria-expanded={anchor !== null}
        className="list-more"
        startIcon={<MoreIcon />}
        onClick={(event) => {
          setAnchor(event.currentTarget);
          setUsed(true);
        }}
      >
        <span>{t('More')}</span>
      </Button>
      {mayEdit && (
        <ButtonLink className="list-create" variant="contained" startIcon={<AddIcon />} to={routesOf(resource).create}>
          <span>{t('Create New')}</span>
        </ButtonLink>
      )}
      {used && actions && (
        <Suspense fallback={null}>
          <ListActions {...actions} anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}
