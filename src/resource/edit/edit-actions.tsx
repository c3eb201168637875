import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import DuplicateIcon from '@mui/icons-material/ContentCopyOutlined';
import Button from '@mui/material/Button';
import { Link, useNavigate } from 'react-router-dom';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { abandonUnsavedWork } from '../../stores/unsaved.ts';
import { useDelete } from '../list/use-delete.ts';
import { duplicatePath, type WayBack } from '../paths.ts';

/** What can be done with an open record beside editing it. */
export function EditActions({ resource, view }: { resource: Resource; view: RecordView }) {
  const navigate = useNavigate();
  const remove = useDelete(resource);
  const { list, create } = routesOf(resource);
  const deleteRecord = async () => {
    if (!(await remove([{ ...view.values, recordId: view.recordId }]))) return;
    // What is typed into a record that goes needs no question of its own.
    abandonUnsavedWork();
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
        Duplicate
      </Button>
      <Button
        color="error"
        variant="outlined"
        startIcon={<DeleteIcon />}
        aria-label={`Delete ${resource.label.one}`}
        onClick={() => void deleteRecord()}
      >
        Delete
      </Button>
    </>
  );
}
