import ScanIcon from '@mui/icons-material/QrCodeScannerOutlined';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { knownRows } from '../../api/reads.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { photoField, type Resource, routesOf } from '../../domain/resource.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { indexRows, visibleRows } from '../../resource/list/list-rules.ts';
import { TAKING_SHARED } from '../../resource/paths.ts';
import { RecordPicture } from '../../resource/record-picture.tsx';
import { openPanel, usePanel } from '../../stores/panels.ts';
import { colour } from '../../ui/tokens.ts';
import '../../fields/fields.css';
import { Link } from '../../ui/link.tsx';
import { say, t } from '../../language/t.ts';
import { sayTitle } from '../../resource/say-title.ts';

const PHOTOGRAPHED = RESOURCES.filter((resource) => photoField(resource) !== undefined);

/** Most results shown; typing more narrows them down. */
const SHOWN = 8;

/** Searches the records on this device. The chosen one opens with the shared photos in its form. */
export function IntoRecord() {
  const scanned = usePanel(({ open, query: code }) => (open === undefined ? code : ''));
  const [typed, setTyped] = useState<string>();
  const query = typed ?? scanned;
  const asked = useDeferredValue(query);
  const lists = useLists();
  const found = useMemo(() => (asked.trim() === '' ? [] : search(lists, asked)), [lists, asked]);
  const scan = () => {
    setTyped(undefined);
    openPanel('scan');
  };
  // A scanned code does not carry over to the next shared photos.
  useEffect(() => () => openPanel(undefined), []);
  return (
    <>
      <input
        type="search"
        className="control"
        aria-label={t('Find a record for these photos')}
        placeholder={t('Brand, model, name')}
        autoComplete="off"
        enterKeyHint="search"
        value={query}
        onChange={(event) => setTyped(event.target.value)}
      />
      <ScanButton variant="outlined" color="inherit" startIcon={<ScanIcon />} onClick={scan}>
        {t('Scan a code')}
      </ScanButton>
      <Found>
        {found.map(({ resource, row }) => (
          <li key={`${resource.name} ${row.recordId}`}>
            <Link to={routesOf(resource).edit(row.recordId)} state={TAKING_SHARED} replace>
              <RecordPicture resource={resource} id={Number(row.recordId)} className="found-picture" />
              <strong>{sayTitle(resource, row)}</strong>
              <span>{say(resource.label.one)}</span>
            </Link>
          </li>
        ))}
        {asked.trim() !== '' && found.length === 0 && (
          <li>{t('Nothing on this device matches “{query}”.', { query: asked })}</li>
        )}
      </Found>
    </>
  );
}

interface List {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
}

/** The records known on this device, of all kinds that have photos. */
function useLists(): readonly List[] {
  const [lists, setLists] = useState<readonly List[]>([]);
  useEffect(() => {
    let wanted = true;
    const read = async () => {
      const all = PHOTOGRAPHED.map(async (resource) => ({ resource, rows: await knownRows(resource) }));
      const found = await Promise.all(all);
      if (wanted) setLists(found);
    };
    void read();
    return () => {
      wanted = false;
    };
  }, []);
  return lists;
}

function search(lists: readonly List[], query: string) {
  const look = { query, chosen: {}, sort: undefined };
  const found = lists.flatMap(({ resource, rows }) => {
    const there = rows.filter(({ pending }) => pending !== 'delete');
    return visibleRows(indexRows(resource, there), look)
      .slice(0, SHOWN)
      .map((row) => ({ resource, row }));
  });
  return found.slice(0, SHOWN);
}

const ScanButton = styled(Button)(({ theme }) => ({ marginTop: theme.spacing(1), backgroundColor: colour.surface }));

const Found = styled('ul')(({ theme }) => ({
  margin: theme.spacing(1, 0, 0),
  padding: 0,
  listStyle: 'none',
  '& a': {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 52,
    color: colour.text,
    textDecoration: 'none',
    borderBottom: `1px solid ${colour.line}`,
  },
  '& a:hover strong': { textDecoration: 'underline' },
  '& span': { marginInlineStart: 'auto', color: colour.quietText, fontSize: '0.875rem' },
  '& .found-picture': { flex: 'none', width: 40, height: 40, objectFit: 'cover', borderRadius: 9 },
}));
