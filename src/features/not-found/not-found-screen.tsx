import LostIcon from '@mui/icons-material/ExploreOffOutlined';
import Button from '@mui/material/Button';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Link } from '../../ui/link.tsx';

/** An address that leads nowhere. */
export default function NotFoundScreen() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon={<LostIcon />}
        title="There is nothing at this address"
        action={
          <Button component={Link} to="/" variant="contained">
            Dashboard
          </Button>
        }
      >
        The link may be old, or a letter is missing.
      </EmptyState>
    </>
  );
}
