import { useEffect, useState } from 'react';
import { type OpenPdf, openPdf } from './pdf-reader.ts';
import { msg, say, t } from '../../language/t.ts';

interface Opened {
  readonly pdf?: OpenPdf | undefined;
  /** Why it could not be opened: a message for the user. */
  readonly failure?: string | undefined;
}

/** Opens a PDF from its bytes, or else from its URL, and closes it on unmount. */
export function usePdf(address: string, blob: Blob | undefined): Opened {
  const [opened, setOpened] = useState<Opened>({});
  useEffect(() => {
    const gone = new AbortController();
    let pdf: OpenPdf | undefined;
    const open = async () => {
      try {
        pdf = await openPdf(blob ?? (await download(address, gone.signal)));
        if (gone.signal.aborted) pdf.close();
        else setOpened({ pdf });
      } catch (reason) {
        if (!gone.signal.aborted) setOpened({ failure: wordsOf(reason) });
      }
    };
    void open();
    return () => {
      gone.abort();
      pdf?.close();
    };
  }, [blob, address]);
  return opened;
}

const NOT_HERE = msg('This file is not on this device. It opens when the connection returns.');

/** A proxy may answer with a page of its own, which is not a document. */
async function download(address: string, signal: AbortSignal): Promise<Blob> {
  const answer = await fetch(address, { signal }).catch(() => undefined);
  if (answer?.status === 404) throw new Unavailable(t('This file no longer exists.'));
  const isDocument = answer?.ok === true && !(answer.headers.get('Content-Type') ?? '').startsWith('text/html');
  if (!isDocument) throw new Unavailable(say(NOT_HERE));
  return answer.blob().catch(() => {
    throw new Unavailable(t('The connection was lost.'));
  });
}

/** A file that could not be downloaded. The message is for the user. */
class Unavailable extends Error {}

/** pdf.js identifies its errors by name: https://mozilla.github.io/pdf.js/api/ */
function wordsOf(reason: unknown): string {
  if (reason instanceof Unavailable) return reason.message;
  const { name } = reason instanceof Error ? reason : { name: '' };
  if (name === 'PasswordException') return t('This PDF is password-protected. Open it in a new tab.');
  if (name === 'InvalidPDFException') return t('This PDF is damaged and cannot be shown.');
  return t('PDFs cannot be shown here yet: this part of the app loads when the connection returns.');
}
