import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { styled } from '@mui/material/styles';
import { colour } from '../../ui/tokens.ts';
import { msg, t } from '../../language/t.ts';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  [msg('Ctrl K, ⌘ K'), msg('Find records, pages and actions')],
  [msg('Ctrl S, ⌘ S'), msg('Save the form')],
  ['/', msg('Search the list')],
  ['?', msg('Show this help')],
  [msg('Esc'), msg('Close the open window')],
];

const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  [msg('Online'), msg('The server can be reached and all changes are sent.')],
  [
    msg('Offline · 3 waiting'),
    msg('Three changes are safe on this device and will be sent when the connection returns.'),
  ],
  [
    msg('Sending 1 of 3 · 34 %'),
    msg(
      'Changes are being sent in the order you made them. Large files travel in pieces: 34 % of everything has arrived. You can pause a file in the Outbox.',
    ),
  ],
  [
    '2 need attention',
    msg('The server refused two changes, or someone else edited the same fields. The Outbox shows which.'),
  ],
  [
    msg('Sign in to send'),
    msg('Your session has ended. Your changes wait on this device and are sent only under your name.'),
  ],
];

/** What there is to know, on one sheet. */
export default function HelpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby="help-title">
      <DialogTitle id="help-title">{t('Help')}</DialogTitle>
      {/* Scrolled with the keyboard where it does not fit. */}
      <DialogContent tabIndex={0}>
        <Heading>{t('Saving')}</Heading>
        <p>
          {t(
            'Press Save and carry on. Every change is stored on this device first, then sent once and in order as soon as the server can be reached, even with this page closed. “Saved on this device” means exactly that; the server’s confirmation follows when the change arrives.',
          )}
        </p>
        <Heading>{t('Catalogues')}</Heading>
        <p>
          {t(
            'In a list, More › Keep catalogues offline shows their size and downloads them all to this device; each record also has a button for its own catalogue. They open offline until you remove them or log out.',
          )}
        </p>
        <Heading>{t('What the status means')}</Heading>
        <Terms items={WORDS} />
        <Heading>{t('Keyboard shortcuts')}</Heading>
        <Terms items={KEYS} />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          {t('Close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Terms({ items }: { items: readonly (readonly [term: string, meaning: string])[] }) {
  return (
    <List>
      {items.map(([term, meaning]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </List>
  );
}

const Heading = styled('h3')(({ theme }) => ({
  ...theme.typography.h3,
  margin: theme.spacing(2.5, 0, 0.5),
  '&:first-of-type': { marginTop: 0 },
}));

const List = styled('dl')(({ theme }) => ({
  margin: 0,
  '& > div': { display: 'grid', gridTemplateColumns: 'minmax(0, 11em) 1fr', gap: theme.spacing(2), padding: '7px 0' },
  '& > div + div': { borderTop: `1px solid ${colour.line}` },
  '& dt': { fontWeight: 600 },
  '& dd': { margin: 0, color: colour.quietText },
  [theme.breakpoints.down('sm')]: { '& > div': { gridTemplateColumns: '1fr', gap: 0 } },
}));
