import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { linkAddress } from '../../api/people.ts';
import type { MadeLink } from '../../domain/protocol/people.ts';
import { notify } from '../../stores/notifications.ts';
import { formatDeadline } from '../../ui/format.ts';
import { t } from '../../language/t.ts';

interface Props {
  link: MadeLink;
  /** The person it is for. */
  name: string;
  onClose: () => void;
}

/** Shows a new link. It is never shown again. */
export function LinkDialog({ link, name, onClose }: Props) {
  const address = linkAddress(link);
  const copy = () => {
    navigator.clipboard.writeText(address).then(
      () => notify(t('Link copied'), { kind: 'success' }),
      () => notify(t('This browser blocks copying. Select the link and copy it yourself.'), { kind: 'error' }),
    );
  };
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby="link-title">
      <DialogTitle id="link-title">
        {link.mailed ? t('Link sent to {name}', { name }) : t('Send this link to {name}', { name })}
      </DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2 }}>
          {t('It works once, until {time}. It won’t be shown again.', {
            time: formatDeadline(Date.parse(link.expiresAt)),
          })}
        </DialogContentText>
        <input
          className="control"
          readOnly
          aria-label={t('Link')}
          value={address}
          onFocus={(event) => event.target.select()}
        />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('Close')}
        </Button>
        <Button variant="contained" onClick={copy}>
          {t('Copy link')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
