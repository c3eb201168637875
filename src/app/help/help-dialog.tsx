import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { styled } from '@mui/material/styles';
import { colour } from '../../ui/tokens.ts';
import { t } from '../../language/t.ts';

type Term = readonly [term: string, meaning: string];

const keys = (): readonly Term[] => [
  [t('Ctrl K, ⌘ K'), t('Find records, pages and actions')],
  [t('Ctrl S, ⌘ S'), t('Save the form')],
  ['/', t('Search the list')],
  ['?', t('Show this help')],
  [t('Esc'), t('Close the open window')],
];

const statuses = (): readonly Term[] => [
  [t('Online'), t('The server can be reached and all changes are sent.')],
  [t('Offline · 3 waiting'), t('Three changes are safe on this device and will be sent when the connection returns.')],
  [
    t('Sending 1 of 3 · 34%'),
    t(
      'Changes are being sent, those of one record in order. Large files travel in pieces: 34% of everything has arrived. You can pause a file in the Outbox.',
    ),
  ],
  [
    t('{count, plural, one {# needs attention} other {# need attention}}', { count: 2 }),
    t('The server refused two changes, or someone else edited the same fields. The Outbox shows which.'),
  ],
  [
    t('Sign in to send'),
    t('Your session has ended. Your changes wait on this device and are sent only under your name.'),
  ],
];

/** Explains saving, the status chip and the keyboard shortcuts on one page. */
export default function HelpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby="help-title">
      <DialogTitle id="help-title">{t('Help')}</DialogTitle>
      {/* Focusable, so that the keyboard can scroll it. */}
      <DialogContent tabIndex={0}>
        <Heading>{t('Saving')}</Heading>
        <p>
          {t(
            'Press Save and carry on. Every change is stored on this device first, then sent once, as soon as the server can be reached. Chrome and Edge do so even with this page closed; in other browsers, leave Voltdesk open until it says Online. “Saved on this device” means exactly that; the server’s confirmation follows when the change arrives.',
          )}
        </p>
        <Heading>{t('Catalogues')}</Heading>
        <p>
          {t(
            'In a list, More › Keep catalogues offline shows their size and downloads them all to this device; each record also has a button for its own catalogue. They open offline until you remove them or log out.',
          )}
        </p>
        <Heading>{t('What the status means')}</Heading>
        <Terms items={statuses()} />
        <Heading>{t('Keyboard shortcuts')}</Heading>
        <Terms items={keys()} />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          {t('Close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Terms({ items }: { items: readonly Term[] }) {
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
