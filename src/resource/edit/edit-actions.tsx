import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import DuplicateIcon from '@mui/icons-material/ContentCopyOutlined';
import NextIcon from '@mui/icons-material/KeyboardArrowRight';
import PreviousIcon from '@mui/icons-material/KeyboardArrowLeft';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useNavigate } from 'react-router-dom';
import { baseOfView } from '../../domain/outbox/base.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import type { RecordId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { setAsideUnsavedWork } from '../../stores/unsaved.ts';

import { useListPlace } from '../list/list-order.ts';
import { DELETING, useDelete } from '../list/use-delete.ts';
import { duplicatePath, type WayBack } from '../paths.ts';
import { usePrefetch } from '../../ui/late.tsx';
import { Link } from '../../ui/link.tsx';
import { say, t } from '../../language/t.ts';

const LATE = [DELETING];

/** The actions of an open record besides editing. */
export function EditActions({ resource, view }: { resource: Resource; view: RecordView }) {
  const navigate = useNavigate();
  const remove = useDelete(resource);
  usePrefetch(LATE);
  const { list, create } = routesOf(resource);
  const deleteRecord = async () => {
    const { recordId, values, shownVersion: version } = view;
    // with all that is on screen and its version, so that nothing newer of others is deleted unseen
    const shown = { ...baseOfView(view), ...(version !== undefined && { version }) };
    if (!(await remove([{ ...values, recordId }], shown))) return;
    // Unsaved input of a deleted record needs no question of its own. It is there again after an Undo.
    setAsideUnsavedWork();
    const back: WayBack = { back: true };
    void navigate(list, { state: back });
  };
  return (
    <>
      <Button
        component={Link}
        to={duplicatePath(create, view.recordId)}
        color="inherit"
        variant="outlined"
        startIcon={<DuplicateIcon />}
      >
        {t('Duplicate')}
      </Button>
      <Button
        color="error"
        variant="outlined"
        startIcon={<DeleteIcon />}
        aria-label={t('Delete {what}', { what: say(resource.label.one) })}
        onClick={() => void deleteRecord()}
      >
        {t('Delete')}
      </Button>
    </>
  );
}

/** Links to the previous and next record in the list as last shown. */
export function Neighbours({ resource, id }: { resource: Resource; id: RecordId }) {
  const found = useListPlace(resource, id);
  if (found === undefined || found.total < 2) return null;
  const { edit } = routesOf(resource);
  const { place, total, previous, next } = found;
  return (
    <nav className="neighbours" aria-label={t('In the list')}>
      <Step name={t('Previous')} Icon={PreviousIcon} to={previous && edit(previous)} />
      <span>{t('{number} of {count}', { number: place, count: total })}</span>
      <Step name={t('Next')} Icon={NextIcon} to={next && edit(next)} />
    </nav>
  );
}

function Step({ name, Icon, to }: { name: string; Icon: typeof NextIcon; to: string | undefined }) {
  if (to === undefined) {
    return (
      <IconButton disabled aria-label={name}>
        <Icon />
      </IconButton>
    );
  }
  return (
    <IconButton component={Link} to={to} aria-label={name} title={name} color="inherit">
      <Icon />
    </IconButton>
  );
}
