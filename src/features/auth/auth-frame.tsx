import { styled } from '@mui/material/styles';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSettings } from '../../stores/settings.ts';
import { useDocumentTitle } from '../../ui/page-header.tsx';
import { colour, navColour } from '../../ui/tokens.ts';
import { LanguageSelect } from './language-select.tsx';
import { t } from '../../language/t.ts';

interface Props {
  title: string;
  /** A secondary line below the title. */
  lead: string;
  children: ReactNode;
}

/** The layout of every screen before the sign-in. */
export function AuthFrame({ title, lead, children }: Props) {
  const { brandLabel, locationLine } = useSettings();
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnChange(heading, title);
  useDocumentTitle(title);
  return (
    <Frame>
      <Side aria-hidden="true">
        <Bolt src="/icons/icon.svg" alt="" width="72" height="72" />
        <p>{t('Save anywhere.')}</p>
        <p>{t('It arrives when you’re back in range.')}</p>
      </Side>
      <Main>
        <Sheet>
          <SmallBolt src="/icons/icon.svg" alt="" width="52" height="52" />
          <Company>{[brandLabel, locationLine].filter((text) => text !== '').join(' · ')}</Company>
          <Heading ref={heading} tabIndex={-1}>
            {title}
          </Heading>
          <Lead>{lead}</Lead>
          {children}
          <Language>
            <LanguageSelect />
          </Language>
        </Sheet>
      </Main>
    </Frame>
  );
}

/** Focuses the heading when it changes, if what had the focus is gone: a screen reader then reads what has happened. */
function useFocusOnChange(heading: { readonly current: HTMLElement | null }, title: string): void {
  const last = useRef(title);
  useEffect(() => {
    if (title !== last.current && document.activeElement === document.body) heading.current?.focus();
    last.current = title;
  }, [title, heading]);
}

const Frame = styled('div')(({ theme }) => ({
  display: 'grid',
  minHeight: '100dvh',
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'minmax(320px, 5fr) 7fr' },
}));

const Side = styled('div')(({ theme }) => ({
  display: 'none',
  flexDirection: 'column',
  justifyContent: 'flex-end',
  padding: theme.spacing(7),
  background: `radial-gradient(120% 90% at 0% 0%, ${navColour.raised}, ${navColour.ground} 70%)`,
  color: navColour.text,
  fontSize: 'clamp(1.75rem, 1rem + 2vw, 2.75rem)',
  fontWeight: 700,
  letterSpacing: '-0.025em',
  lineHeight: 1.15,
  '& p': { margin: 0, maxWidth: '14ch' },
  '& p + p': {
    marginTop: theme.spacing(2),
    maxWidth: '26ch',
    color: navColour.quiet,
    fontSize: '1.0625rem',
    fontWeight: 400,
    letterSpacing: 0,
    lineHeight: 1.5,
  },
  [theme.breakpoints.up('md')]: { display: 'flex' },
}));

const SmallBolt = styled('img')(({ theme }) => ({
  borderRadius: 13,
  marginBottom: theme.spacing(3),
  [theme.breakpoints.up('md')]: { display: 'none' },
}));

const Bolt = styled('img')({ marginBottom: 'auto', borderRadius: 18 });

const Main = styled('main')(({ theme }) => ({
  display: 'grid',
  alignContent: 'center',
  justifyItems: 'center',
  padding: theme.spacing(4, 2.5),
}));

const Sheet = styled('div')({ width: '100%', maxWidth: 400 });

const Language = styled('div')(({ theme }) => ({
  maxWidth: 160,
  marginTop: theme.spacing(4),
  '& select': { minHeight: 44 },
}));

const Company = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  color: colour.accent,
  fontWeight: 600,
}));

const Heading = styled('h1')(({ theme }) => ({
  ...theme.typography.h1,
  margin: theme.spacing(0.5, 0, 0.5),
  '&:focus': { outline: 'none' },
}));

const Lead = styled('p')(({ theme }) => ({
  ...theme.typography.body1,
  margin: theme.spacing(0, 0, 4),
  color: colour.quietText,
}));
