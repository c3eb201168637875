import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useEffect, useState } from 'react';
import { device } from '../../api/device.ts';
import { keepWholeRecords, savesData } from '../../api/prefetch.ts';
import type { Resource } from '../../domain/resource.ts';
import { type Keeping, type NotKept, useKeeping, useWishes } from '../../stores/catalogues.ts';
import { formatSize } from '../../ui/format.ts';
import { told } from '../told.ts';
import { bringCatalogues, keepKind, letKindGo } from './keep.ts';
import { measure } from './measure.ts';
import { cataloguesOf } from './wanted.ts';
import './keep-dialog.css';
import { msg, say, t } from '../../language/t.ts';

interface KeepDialogProps {
  readonly resource: Resource;
  readonly onClose: () => void;
}

/** Keeps all catalogues of a kind on this device. Shows the size beforehand and the progress, and offers to remove them. */
export default function KeepDialog({ resource, onClose }: KeepDialogProps) {
  const isKept = useWishes(({ kinds }) => kinds.includes(resource.name));
  const singles = useWishes(({ records }) => records.filter((one) => one.resource === resource.name).length);
  const offer = useOffer(resource, isKept);
  const keep = (work: Promise<void>) => void told(work);
  const canStart = offer !== 'counting' && offer !== undefined && offer.count > 0;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="keep-title">
      <DialogTitle id="keep-title">{t('Catalogues offline')}</DialogTitle>
      <DialogContent className="keep-catalogues">
        {isKept ? <Progress resource={resource} /> : <Offered offer={offer} />}
      </DialogContent>
      <DialogActions>
        {(isKept || singles > 0) && (
          <Button color="inherit" onClick={() => keep(letKindGo(resource.name))}>
            {t('Remove from this device')}
          </Button>
        )}
        <Button color="inherit" onClick={onClose}>
          {t('Close')}
        </Button>
        {isKept ? (
          <Again resource={resource} />
        ) : (
          <Button variant="contained" disabled={!canStart} onClick={() => keep(keepKind(resource.name))}>
            {t('Keep offline')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

interface Offer {
  readonly count: number;
  /** Formatted for display. */
  readonly size: string;
  /** Bytes that fit. Undefined if all catalogues fit. */
  readonly room: number | undefined;
}

/** The number and size of the catalogues. Undefined if the sizes are not available. */
function useOffer(resource: Resource, isKept: boolean): Offer | 'counting' | undefined {
  const [offer, setOffer] = useState<Offer | 'counting' | undefined>('counting');
  useEffect(() => {
    if (isKept) return undefined;
    let wanted = true;
    const set = (made: Offer | undefined) => wanted && setOffer(made);
    makeOffer(resource).then(set, () => set(undefined));
    return () => {
      wanted = false;
    };
  }, [resource, isKept]);
  return offer;
}

async function makeOffer(resource: Resource): Promise<Offer | undefined> {
  const { catalogues } = await device();
  const here = await cataloguesOf(resource);
  // without a prefetch, such as under data saving, the records are not here
  if (here === undefined) await keepWholeRecords(resource);
  const offered = here ?? (await cataloguesOf(resource)) ?? [];
  const addresses = [...new Set(offered.map(({ address }) => address))];
  const kept = await catalogues.keptCatalogues();
  const measured = await measure(addresses, kept);
  if (measured === undefined) return undefined;
  const { bytes, exact } = measured;
  const size = exact ? formatSize(bytes) : t('about {size}', { size: formatSize(bytes) });
  const room = await catalogues.roomForCatalogues(kept);
  return { count: addresses.length, size, room: room < bytes ? room : undefined };
}

function Offered({ offer }: { offer: Offer | 'counting' | undefined }) {
  if (offer === 'counting') return <output>{t('Counting…')}</output>;
  if (offer === undefined) return <p role="alert">{t('Can’t reach the server.')}</p>;
  const { count, size, room } = offer;
  if (count === 0) return <p>{t('No record here has a catalogue yet.')}</p>;
  return (
    <>
      <p>
        <strong>
          {t('{count, plural, one {# catalogue} other {# catalogues}}', { count })} · {size}
        </strong>
      </p>
      <p>{t('They stay on this device and open offline. New versions download automatically.')}</p>
      {room !== undefined && (
        <p>{t('This device has space for {size}. Anything beyond that is left out.', { size: formatSize(room) })}</p>
      )}
      {savesData() && <p>{t('Data saving is on: new versions wait until it is off.')}</p>}
    </>
  );
}

/** The progress, and the catalogues that could not be kept. */
function Progress({ resource }: { resource: Resource }) {
  const keeping = useKeeping();
  const own = [...keeping.wanted].filter(([, { resource: name }]) => name === resource.name);
  const kept = own.map(([address]) => keeping.kept.get(address)).filter((bytes) => bytes !== undefined);
  const failed = own.flatMap(([address, { title }]) => {
    const why = keeping.failed.get(address);
    return why === undefined ? [] : [{ address, title, why }];
  });
  const size = formatSize(kept.reduce((sum, bytes) => sum + bytes, 0));
  return (
    <>
      <output className="keep-progress">
        <strong>
          {t('{number} of {count} on this device', { number: kept.length, count: own.length })} · {size}
        </strong>
        {keeping.running && <progress value={kept.length} max={own.length} aria-label={t('Catalogues offline')} />}
        <span>{wordsOf(keeping)}</span>
      </output>
      {failed.length > 0 && (
        <>
          <p>{t('{count} could not be kept:', { count: failed.length })}</p>
          <ul>
            {failed.map(({ address, title, why }) => (
              <li key={address}>
                {title}: {say(REASONS[why])}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const REASONS = {
  room: msg('not enough space on this device'),
  gone: msg('no longer on the server'),
  refused: msg('refused by the server'),
} as const satisfies Readonly<Record<NotKept, string>>;

function wordsOf({ running, waits }: Keeping): string {
  if (running) return t('You can keep working. Downloads continue while Voltdesk is open.');
  if (waits === 'connection') return t('The rest downloads when the connection returns.');
  if (waits === 'data-saver') return t('The rest downloads when data saving is off.');
  return t('They open offline. New versions download automatically.');
}

/** Retries missing catalogues, even in data-saver mode. */
function Again({ resource }: { resource: Resource }) {
  const isDone = useKeeping(
    ({ wanted, kept, running }) =>
      running || [...wanted].every(([address, one]) => one.resource !== resource.name || kept.has(address)),
  );
  if (isDone) return null;
  return (
    <Button variant="contained" onClick={() => void told(bringCatalogues(true))}>
      {t('Try again')}
    </Button>
  );
}
