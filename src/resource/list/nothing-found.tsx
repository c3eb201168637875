import SearchOffIcon from '@mui/icons-material/SearchOff';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** A search, or what was chosen, that leaves no row. */
export default function NothingFound({ query, onClear }: { query: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchOffIcon />}
      title={query === '' ? 'Nothing found with these filters' : `Nothing found for “${query}”`}
      action={
        <Button variant="outlined" onClick={onClear}>
          Show all
        </Button>
      }
    />
  );
}
