import SearchIcon from '@mui/icons-material/Search';
import ActionIcon from '@mui/icons-material/BoltOutlined';
import PageIcon from '@mui/icons-material/ArticleOutlined';
import Dialog from '@mui/material/Dialog';
import { styled } from '@mui/material/styles';
import { type KeyboardEvent, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';

import { RESOURCE_ICONS } from '../../ui/resource-icons.ts';
import { colour, tint } from '../../ui/tokens.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { type Find, search } from './finds.ts';
import { useFinds } from './use-finds.ts';
import { Link } from '../../ui/link.tsx';
import { t } from '../../language/t.ts';

interface FindDialogProps {
  /** The initial query. */
  readonly begin: string;
  readonly onClose: () => void;
}

/** Finds records, screens and actions by a few letters, among the data on this device. */
export default function FindDialog({ begin, onClose }: FindDialogProps) {
  const [query, setQuery] = useState(begin);
  const asked = useDeferredValue(query);
  const finds = useFinds();
  const found = useMemo(() => search(finds, asked), [finds, asked]);
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const focused = useCallback((element: HTMLInputElement | null) => {
    input.current = element;
    element?.focus();
  }, []);
  const navigate = useNavigate();

  const takeFirst = ({ to, run }: Find) => {
    onClose();
    if (to !== undefined) void navigate(to);
    run?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      moveFocus(input.current, list.current, step);
    } else if (event.key === 'Enter' && event.target === input.current) {
      event.preventDefault();
      // The shown results may still be those of an earlier query.
      const [first] = search(finds, query);
      if (first !== undefined) takeFirst(first);
    }
  };
  return (
    <Dialog
      open
      fullWidth
      maxWidth="sm"
      onClose={onClose}
      onKeyDown={onKeyDown}
      slotProps={{ paper: { 'aria-label': t('Find') } }}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
    >
      <Field>
        <SearchIcon aria-hidden="true" />
        <input
          ref={focused}
          type="search"
          aria-label={t('Find records, pages and actions')}
          placeholder={t('Find records, pages, actions')}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </Field>
      <VisuallyHidden live="polite">
        {query === '' ? '' : t('{count, plural, one {# result} other {# results}}', { count: found.length })}
      </VisuallyHidden>
      <Results ref={list}>
        {found.map((one) => (
          <li key={`${one.kind}/${one.to ?? one.label}`}>
            <Result find={one} onClose={onClose} />
          </li>
        ))}
        {found.length === 0 && <Nothing>{t('Nothing on this device matches “{query}”.', { query })}</Nothing>}
      </Results>
    </Dialog>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

function Result({ find, onClose }: { find: Find; onClose: () => void }) {
  const content = (
    <>
      <Icon find={find} />
      <span>
        {find.label}
        {find.facts !== undefined && find.facts !== '' && <em> {find.facts}</em>}
      </span>
      <small>{find.kind}</small>
    </>
  );
  if (find.to === undefined) {
    return (
      <button
        type="button"
        onClick={() => {
          onClose();
          find.run?.();
        }}
      >
        {content}
      </button>
    );
  }
  return (
    <Link to={find.to} onClick={onClose}>
      {content}
    </Link>
  );
}

/** The icon of the resource or category. */
function Icon({ find }: { find: Find }) {
  const Picture =
    find.resource === undefined ? (find.run === undefined ? PageIcon : ActionIcon) : RESOURCE_ICONS[find.resource];
  return <Picture aria-hidden="true" />;
}

/** Moves the focus up and down through the field and the results as one list. */
function moveFocus(input: HTMLElement | null, list: HTMLElement | null, step: 1 | -1): void {
  const stops = [input, ...(list?.querySelectorAll<HTMLElement>('a, button') ?? [])];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  // In the field, Enter opens the first result, so Down moves to the second.
  const next = at === 0 && step === 1 ? 2 : at + step;
  stops[Math.max(0, Math.min(next, stops.length - 1))]?.focus();
}

const Field = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(1.5),
  padding: theme.spacing(1, 2.5, 1.5),
  borderBottom: `1px solid ${colour.line}`,
  '& svg': { color: colour.quietText },
  '& input': {
    flex: 1,
    minWidth: 0,
    minHeight: 44,
    border: 0,
    outline: 'none',
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    fontSize: '1.0625rem',
    textOverflow: 'ellipsis',
  },
}));

const Results = styled('ul')(({ theme }) => ({
  maxHeight: '60vh',
  margin: 0,
  padding: theme.spacing(1),
  overflowY: 'auto',
  listStyle: 'none',
  '& a, & button': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1.5),
    width: '100%',
    minHeight: 44,
    padding: theme.spacing(0.5, 1.5),
    border: 0,
    borderRadius: 10,
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    textAlign: 'start',
    textDecoration: 'none',
    cursor: 'pointer',
  },
  // Two lines, because model names often differ only at the end.
  '& span': {
    display: '-webkit-box',
    overflow: 'hidden',
    overflowWrap: 'anywhere',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 2,
  },
  '& svg': { flex: 'none', fontSize: 20, color: colour.quietText },
  '& em': { color: colour.quietText, fontStyle: 'normal', fontSize: '0.875rem' },
  '& small': { flex: 'none', marginInlineStart: 'auto', color: colour.quietText, fontSize: '0.8125rem' },
  '& a:hover, & button:hover, & a:focus-visible, & button:focus-visible': { backgroundColor: tint(colour.brand, 10) },
  // Highlights the first result, which Enter opens while the field has the focus.
  '&:not(:focus-within) li:first-of-type > *': { backgroundColor: tint(colour.brand, 10) },
}));

const Nothing = styled('li')(({ theme }) => ({ padding: theme.spacing(3, 1.5), color: colour.quietText }));
