import { styled } from '@mui/material/styles';
import { colour, PAGE_HEAD, TOP_BAR } from './tokens.ts';
import { createContext, type ReactNode, use, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

interface Props {
  /** The heading of the page and the title of the document. */
  title: string;
  /** A few words under the heading, within the sticky bar. No controls, since toasts cover them briefly. */
  note?: ReactNode;
  /** A muted line below the bar. */
  subtitle?: ReactNode;
  /** The age of the shown data: `<Freshness />`. */
  freshness?: ReactNode;
  /** Buttons at the end of that line. */
  actions?: ReactNode;
}

/**
 * The heading of a page, with its actions. After a navigation the heading takes the focus, so that a screen reader starts at the
 * top. The heading is sticky and has no controls, so that toasts over it never cover one.
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

/** The name of the installation. Every document title ends with it. */
export const SiteName = createContext('Voltdesk');

/** Sets the document title from page and installation: "Generators · Voltdesk". */
export function useDocumentTitle(title: string): void {
  const siteName = use(SiteName);
  useEffect(() => {
    document.title = `${title} · ${siteName}`;
  }, [title, siteName]);
}

// The first page of a visit has the location key "default". It leaves the focus at the start of the document, where the
// skip link is. A user who is typing is not interrupted: the address of a new record changes when the server assigns its id.
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
  // The heading is at the same height with a note below it and without one.
  paddingTop: 5,
  boxSizing: 'border-box',
  height: PAGE_HEAD,
  // Extends to the content edges, so that scrolled content does not show beside it.
  marginInline: -8,
  paddingInline: 8,
  backgroundColor: colour.page,
  // A low or zoomed window has no space for a sticky bar.
  '@media (max-height: 480px)': { position: 'static', height: 'auto', minHeight: PAGE_HEAD },
  // Without a note, the heading may take two lines on a phone.
  '@media (max-width: 599.95px)': {
    '&:has(> h1:last-child)': { height: 'auto', minHeight: PAGE_HEAD, paddingBlock: 4 },
  },
});

const Heading = styled('h1')(({ theme }) => ({
  ...theme.typography.h1,
  marginInline: 0,
  lineHeight: 1.2,
  // Keeps the dots of an Ü and the descender of a g from being clipped.
  paddingBlock: '0.15em',
  marginBlock: '-0.15em',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  '&:focus': { outline: 'none' },
  // Record names are long. Without a note, two lines fit.
  [theme.breakpoints.down('sm')]: {
    '&:last-child': {
      display: '-webkit-box',
      WebkitBoxOrient: 'vertical',
      WebkitLineClamp: 2,
      lineHeight: 1.15,
      // Padding below the second line would show part of the third.
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
  // On a phone, buttons share the line evenly.
  [theme.breakpoints.down('sm')]: { width: '100%', '& > a, & > button': { flex: '1 1 auto' } },
}));
