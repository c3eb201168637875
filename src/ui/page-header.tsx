import { styled } from '@mui/material/styles';
import { colour } from './tokens.ts';
import { createContext, type ReactNode, use, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

interface Props {
  /** The page's heading and the document's title. */
  title: string;
  /** A quiet line under the heading. */
  subtitle?: ReactNode;
  /** How fresh the shown data is: `<Freshness />`. */
  freshness?: ReactNode;
  /** Buttons at the end of the line; below the heading on a phone. */
  actions?: ReactNode;
}

/** A page's heading with its actions. After a navigation the heading takes the focus, so that the new page is read from its start. */
export function PageHeader({ title, subtitle, freshness, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusAfterNavigation(heading);
  useDocumentTitle(title);
  return (
    <Bar>
      <Words>
        <Heading ref={heading} tabIndex={-1}>
          {title}
        </Heading>
        {(subtitle !== undefined || freshness !== undefined) && (
          <Beneath>
            {subtitle}
            {freshness}
          </Beneath>
        )}
      </Words>
      {actions !== undefined && <Actions>{actions}</Actions>}
    </Bar>
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

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(2),
  marginBottom: theme.spacing(3),
}));

// A long name takes a second line before the buttons do.
const Words = styled('div')({ flex: '1 1 220px', minWidth: 0 });

const Heading = styled('h1')(({ theme }) => ({
  ...theme.typography.h1,
  margin: 0,
  overflowWrap: 'anywhere',
  '&:focus': { outline: 'none' },
}));

const Beneath = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: theme.spacing(1.5),
  minHeight: 32,
  marginTop: theme.spacing(0.25),
  color: colour.quietText,
}));

const Actions = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  // Below the heading the buttons share the line evenly.
  [theme.breakpoints.down('sm')]: { width: '100%', '& > a, & > button': { flex: '1 1 auto' } },
}));
