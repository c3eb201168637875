import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';

import { QrCode } from '../../ui/qr-code.tsx';
import { useSettings } from '../../stores/settings.ts';
import { factsLine, factsOf } from './facts.ts';
import './labels.css';
import { say, t } from '../../language/t.ts';
import { sayTitle } from '../say-title.ts';

interface LabelsDialogProps {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  readonly onClose: () => void;
}

/** How many facts fit on a label. */
const MOST_FACTS = 3;

/** Printable labels for the devices behind the records: a QR code that opens the record, its name and its main facts. */
export default function LabelsDialog({ resource, rows, onClose }: LabelsDialogProps) {
  const { companyLabel } = useSettings();
  // the address of a record changes once its create has been sent
  const printed = rows.filter((row) => row['id'] !== undefined);
  const waiting = rows.length - printed.length;
  const facts = factsOf(resource, printed, MOST_FACTS);
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="labels-title">
      <DialogTitle id="labels-title">
        {t('{count, plural, one {# label} other {# labels}}', { count: printed.length })}
      </DialogTitle>
      <DialogContent>
        {waiting > 0 && (
          <p className="labels-note">
            {t('{count, plural, one {# record} other {# records}} can be printed once sent.', { count: waiting })}
          </p>
        )}
        <ul className="labels">
          {printed.map((row) => (
            <li key={row.recordId}>
              <QrCode text={location.origin + routesOf(resource).edit(row.recordId)} label="" />
              <div>
                <strong>{sayTitle(resource, row)}</strong>
                <span>{factsLine(facts, row)}</span>
                <small>
                  {companyLabel} · {say(resource.label.one)}
                  {'\u00a0'}
                  {row.recordId}
                </small>
              </div>
            </li>
          ))}
        </ul>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('Close')}
        </Button>
        <Button variant="contained" disabled={printed.length === 0} onClick={() => window.print()}>
          {t('Print')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
