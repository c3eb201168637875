import LostIcon from '@mui/icons-material/ExploreOffOutlined';
import Button from '@mui/material/Button';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Link } from '../../ui/link.tsx';
import { t } from '../../language/t.ts';

/** Shown for an unknown address. */
export default function NotFoundScreen() {
  return (
    <>
      <PageHeader title={t('Page not found')} />
      <EmptyState
        icon={<LostIcon />}
        title={t('There is nothing at this address')}
        action={
          <Button component={Link} to="/" variant="contained">
            {t('Dashboard')}
          </Button>
        }
      >
        {t('The link may be outdated or mistyped.')}
      </EmptyState>
    </>
  );
}
