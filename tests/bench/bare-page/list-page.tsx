import AppBar from '@mui/material/AppBar';
import TextField from '@mui/material/TextField';
import Toolbar from '@mui/material/Toolbar';
import Typography from '@mui/material/Typography';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { type Row, readCopy, refreshCopy } from './copy.ts';
import { RowTable } from './row-table.tsx';

type SortBy = 'id' | 'brand' | 'model';

const collator = new Intl.Collator();

/** The cached rows first, then the server's. */
function useRows(): readonly Row[] {
  const [rows, setRows] = useState<readonly Row[]>([]);
  useEffect(() => {
    const fresh = refreshCopy();
    void readCopy().then((kept) => kept && setRows(kept));
    void fresh.then((fetched) => fetched && setRows(fetched));
  }, []);
  return rows;
}

function matching(rows: readonly Row[], search: string): readonly Row[] {
  if (search === '') return rows;
  return rows.filter((row) => `${row.brand} ${row.model}`.toLowerCase().includes(search.toLowerCase()));
}

function sorted(rows: readonly Row[], by: SortBy): readonly Row[] {
  if (by === 'id') return rows;
  return rows.toSorted((a, b) => collator.compare(a[by], b[by]));
}

export function ListPage() {
  const rows = useRows();
  const [search, setSearch] = useState('');
  const [sortBy, setSortBy] = useState<SortBy>('id');
  const wanted = useDeferredValue(search);
  const shown = useMemo(() => sorted(matching(rows, wanted), sortBy), [rows, wanted, sortBy]);
  return (
    <>
      <AppBar position="static">
        <Toolbar>
          <Typography variant="h6">Grid Tie Inverter</Typography>
        </Toolbar>
      </AppBar>
      <TextField label="Search" type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
      <RowTable rows={shown} onSort={setSortBy} />
    </>
  );
}
