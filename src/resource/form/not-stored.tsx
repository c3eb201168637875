import Button from '@mui/material/Button';
import { useEffect, useRef, useState } from 'react';
import { drafts } from '../../api/drafts.ts';
import { useEntries } from '../../api/live.ts';
import { outbox } from '../../api/outbox.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { formatSize } from '../../ui/format.ts';
import { told, toldDone } from '../told.ts';
import type { NotStored } from './save.ts';
import type { FormSession } from './session.ts';
import { t } from '../../language/t.ts';

export interface NotStoredNoticeProps {
  readonly why: NotStored;
  readonly files: FormSession['now']['files'];
}

/** Says for as long as it is so that nothing was saved, what takes the space of a full device, and frees some at a press. */
export default function NotStoredNotice({ why: { message, isFull }, files }: NotStoredNoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} className="form-summary" role="alert" tabIndex={-1}>
      <strong>{message}</strong>
      {isFull && <Space files={files} />}
      <Button type="submit" variant="outlined" color="inherit">
        {t('Try again')}
      </Button>
    </div>
  );
}

/** What of this app takes space, largest first. What can be fetched again was given up before. */
function Space({ files }: Pick<NotStoredNoticeProps, 'files'>) {
  const online = useConnection(isOnline);
  const waiting = (useEntries() ?? []).flatMap(filesOf);
  const shared = useSharedPhotos();
  const lines = [
    { what: t('The files in this form'), bytes: sizeOf(files.map(({ blob }) => blob)) },
    {
      what: t('Files of changes that wait to be sent'),
      bytes: sizeOf(waiting),
      free: online && { label: t('Send now'), run: () => void told(outbox.sendNow(), t('Nothing was sent.')) },
    },
    {
      what: t('Shared photos that no record has taken'),
      bytes: sizeOf(shared.photos),
      free: { label: t('Discard'), run: shared.discard },
    },
  ].filter(({ bytes }) => bytes > 0);
  return (
    <>
      <ul className="form-space">
        {lines
          .toSorted((one, other) => other.bytes - one.bytes)
          .map(({ what, bytes, free }) => (
            <li key={what}>
              <span>
                {what}: {formatSize(bytes)}
              </span>
              {free && (
                <Button color="inherit" onClick={free.run}>
                  {free.label}
                </Button>
              )}
            </li>
          ))}
      </ul>
      <span>{t('Space that other apps, downloads and photos take is freed in the settings of this device.')}</span>
    </>
  );
}

const NONE: readonly { readonly key: string; readonly size: number }[] = [];

function useSharedPhotos() {
  const [photos, setPhotos] = useState(NONE);
  useEffect(() => {
    const read = async () => {
      const files = (await drafts.shared())?.files ?? [];
      setPhotos(files.map(({ key, blob }) => ({ key, size: blob.size })));
    };
    read().catch((failure: unknown) => console.warn('Cannot read the shared photos.', failure));
  }, []);
  const discard = async () => {
    if (await toldDone(drafts.forgetShared(photos.map(({ key }) => key)))) setPhotos(NONE);
  };
  return { photos, discard: () => void discard() };
}

function sizeOf(files: readonly { readonly size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
