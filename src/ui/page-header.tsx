import { styled } from '@mui/material/styles';
import { colour, PAGE_HEAD, TOP_BAR } from './tokens.ts';
import { createContext, type ReactNode, use, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

interface Props {
  /** The page's heading and the document's title. */
  title: string;
  /** A few words under the heading, in the same line of the page: no controls, since toasts lie over it for a moment. */
  note?: ReactNode;
  /** A quiet line below. */
  subtitle?: ReactNode;
  /** How fresh the shown data is: `<Freshness />`. */
  freshness?: ReactNode;
  /** Buttons at the end of that line. */
  actions?: ReactNode;
}

/**
 * A page's heading with its actions. After a navigation the heading takes the focus, so that the new page is read from its start. It
 * stays in sight, and has nothing to press: that is the place of the toasts, which then never cover a control.
 */
export function PageHeader({ title, note, subtitle, freshness, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusAfterNavigation(heading);
  useDocumentTitle(title);
  return (
    <>
      <Bar>
        <Heading ref={heading} tabIndex={-1} title={title}>
          {title}
        </Heading>
        {note !== undefined && <Note>{note}</Note>}
      </Bar>
      {(subtitle ?? freshness ?? actions) !== undefined && (
        <Beneath>
          <Words>
            {subtitle}
            {freshness}
          </Words>
          {actions !== undefined && <Actions>{actions}</Actions>}
        </Beneath>
      )}
    </>
  );
}

/** What this installation is called: every document's title ends with it. */
export const SiteName = createContext('Voltdesk');

/** Names the document after the page and the installation: "Generators · Voltdesk". */
export function useDocumentTitle(title: string): void {
  const siteName = use(SiteName);
  useEffect(() => {
    document.title = `${title} · ${siteName}`;
  }, [title, siteName]);
}

// The first page of a visit leaves the focus at the document's start, where the skip link is: its location has no key of
// its own. Somebody who is typing is not interrupted: a record's address changes when the server gives it an id.
function useFocusAfterNavigation(heading: { readonly current: HTMLElement | null }): void {
  const { key, pathname } = useLocation();
  const arrivedAt = key === 'default' ? undefined : pathname;
  useEffect(() => {
    if (arrivedAt !== undefined && !isTyping()) heading.current?.focus({ preventScroll: true });
  }, [arrivedAt, heading]);
}

function isTyping(): boolean {
  return document.activeElement?.matches('main :is(input, textarea, select)') ?? false;
}

const Bar = styled('div')({
  position: 'sticky',
  zIndex: 6,
  top: TOP_BAR,
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'center',
  boxSizing: 'border-box',
  height: PAGE_HEAD,
  // to the edges of the content, so that what scrolls away does not show beside it
  marginInline: -8,
  paddingInline: 8,
  backgroundColor: colour.page,
  // A window that is low, or zoomed into, has no room for it.
  '@media (max-height: 480px)': { position: 'static', height: 'auto', minHeight: PAGE_HEAD },
  // without a note it may take two lines on a phone
  '@media (max-width: 599.95px)': {
    '&:has(> h1:last-child)': { height: 'auto', minHeight: PAGE_HEAD, paddingBlock: 4 },
  },
});

const Heading = styled('h1')(({ theme }) => ({
  ...theme.typography.h1,
  marginInline: 0,
  lineHeight: 1.2,
  // the dots of an Ü stand above the line, and the foot of a g below it
  paddingBlock: '0.15em',
  marginBlock: '-0.15em',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  '&:focus': { outline: 'none' },
  // A record's name is long: without a note below there is room for two lines.
  [theme.breakpoints.down('sm')]: {
    '&:last-child': {
      display: '-webkit-box',
      WebkitBoxOrient: 'vertical',
      WebkitLineClamp: 2,
      lineHeight: 1.15,
      // below the second line the third one would show
      paddingBlockEnd: 0,
      marginBlockEnd: 0,
      whiteSpace: 'normal',
      overflowWrap: 'anywhere',
    },
  },
  '@media (max-height: 480px)': { whiteSpace: 'normal', overflowWrap: 'anywhere' },
}));

const Note = styled('div')({
  display: 'flex',
  gap: 10,
  overflow: 'hidden',
  fontSize: '0.8125rem',
  lineHeight: 1.3,
  whiteSpace: 'nowrap',
  color: colour.quietText,
});

const Beneath = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 2),
  marginBottom: theme.spacing(2),
}));

const Words = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  flex: '1 1 220px',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: theme.spacing(1.5),
  minHeight: 32,
  color: colour.quietText,
}));

const Actions = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  // On a phone the buttons share the line evenly.
  [theme.breakpoints.down('sm')]: { width: '100%', '& > a, & > button': { flex: '1 1 auto' } },
}));
