import SearchOffIcon from '@mui/icons-material/SearchOff';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { t } from '../../language/t.ts';

/** The empty state of a search or filter without matches. */
export default function NothingFound({ query, onClear }: { query: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchOffIcon />}
      title={query === '' ? t('Nothing found with these filters') : t('Nothing found for “{query}”', { query })}
      action={
        <Button variant="outlined" onClick={onClear}>
          {t('Show all')}
        </Button>
      }
    />
  );
}
