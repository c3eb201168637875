import SearchIcon from '@mui/icons-material/Search';
import { styled } from '@mui/material/styles';
import { openPanel } from '../../stores/panels.ts';
import { navColour } from '../../ui/tokens.ts';
import { msg, say, t } from '../../language/t.ts';

const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : msg('Ctrl K');

/** Opens the search over everything and shows its shortcut. */
export function FindButton() {
  return (
    <Opener type="button" onClick={() => openPanel('find')} aria-keyshortcuts="Control+K Meta+K">
      <SearchIcon />
      {t('Find')}
      <kbd aria-hidden="true">{say(KEYS)}</kbd>
    </Opener>
  );
}

const Opener = styled('button')({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minHeight: 40,
  margin: '0 20px 8px',
  padding: '0 10px',
  border: `1px solid ${navColour.line}`,
  borderRadius: 10,
  background: 'none',
  color: navColour.quiet,
  font: 'inherit',
  cursor: 'pointer',
  '&:hover': { color: navColour.text, backgroundColor: navColour.raised },
  '&:focus-visible': { outline: `2px solid ${navColour.mark}`, outlineOffset: 2, borderRadius: 10 },
  '& svg': { fontSize: 20 },
  '& kbd': { marginInlineStart: 'auto', font: 'inherit', fontSize: '0.75rem' },
  '@media (pointer: coarse)': { minHeight: 46, '& kbd': { display: 'none' } },
});
