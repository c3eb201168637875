import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TableSortLabel from '@mui/material/TableSortLabel';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useRef, useState } from 'react';
import type { Row } from './copy.ts';

const ROW_HEIGHT = 64;

interface RowTableProps {
  rows: readonly Row[];
  onSort: (by: 'brand' | 'model') => void;
}

/** A table with only the visible rows in the document. */
export function RowTable({ rows, onSort }: RowTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const { selected, toggle } = useSelection();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <TableContainer ref={box} sx={{ height: 'calc(100vh - 120px)' }}>
      <Table stickyHeader>
        <TableHead>
          <TableRow>
            <TableCell padding="checkbox" />
            <TableCell>Sl</TableCell>
            <SortedHead label="Brand" onSort={() => onSort('brand')} />
            <SortedHead label="Model" onSort={() => onSort('model')} />
            <TableCell>Action</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          <Spacer height={above} />
          {items.map(({ index }) => {
            const row = rows[index];
            if (!row) return null;
            return <RowLine key={row.id} row={row} index={index} selected={selected.has(row.id)} onToggle={toggle} />;
          })}
          <Spacer height={below} />
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback((id: number) => {
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  return { selected, toggle };
}

function SortedHead({ label, onSort }: { label: string; onSort: () => void }) {
  return (
    <TableCell>
      <TableSortLabel onClick={onSort}>{label}</TableSortLabel>
    </TableCell>
  );
}

interface RowLineProps {
  row: Row;
  index: number;
  selected: boolean;
  onToggle: (id: number) => void;
}

const RowLine = memo(({ row, index, selected, onToggle }: RowLineProps) => (
  <TableRow data-row={row.id} selected={selected} sx={{ height: ROW_HEIGHT }}>
    <TableCell padding="checkbox">
      <Checkbox checked={selected} onChange={() => onToggle(row.id)} />
    </TableCell>
    <TableCell>{index + 1}</TableCell>
    <TableCell>{row.brand}</TableCell>
    <TableCell>{row.model}</TableCell>
    <TableCell>
      <Button>Edit</Button>
      <Button>Delete</Button>
    </TableCell>
  </TableRow>
));

function Spacer({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <TableRow aria-hidden="true">
      <TableCell style={{ height, padding: 0 }} />
    </TableRow>
  );
}
