import CloseIcon from '@mui/icons-material/Close';
import KeepIcon from '@mui/icons-material/DownloadForOfflineOutlined';
import KeptIcon from '@mui/icons-material/OfflinePinOutlined';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { FILE_TYPE_NAMES, type FieldOf, type FileType } from '../domain/fields.ts';
import { formatSize } from '../ui/format.ts';
import { optional } from '../ui/late.tsx';
import type { AttachmentInputProps, PresentFile } from './attachment-input.ts';
import type { FormFile } from './form-file.ts';
import { PickZone } from './photos/pick-zone.tsx';
import { FirstPage } from './documents/first-page.tsx';
import { useObjectUrl } from './photos/use-object-url.ts';
import { t } from '../language/t.ts';

// Loaded when a document is opened for the first time.
const PdfViewer = optional(() => import('./documents/pdf-viewer.tsx'));

/** One document: the stored version and the new one that replaces it, each with type, name, size and a link to open it. */
export function FileInput(props: AttachmentInputProps<FieldOf<'file'>>) {
  const [file] = props.files;
  return (
    <>
      {props.stored.map((stored) => (
        <PresentDocument key={stored.key} file={stored} replaced={file !== undefined} />
      ))}
      {file !== undefined && <PickedDocument file={file} onRemove={() => props.onRemove(file.key)} />}
      {props.readOnly !== true && <PickZone {...props} present={props.files} />}
    </>
  );
}

function PresentDocument({ file, replaced }: { file: PresentFile; replaced: boolean }) {
  const waits = file.state === 'waiting';
  const words = [
    waits ? t('Waiting to be sent') : undefined,
    sizeOf(file.size),
    file.offline?.words,
    replaced ? t('Will be replaced') : undefined,
  ];
  return (
    <DocumentCard
      type={typeOfName(file.name)}
      name={file.name}
      words={words}
      replaced={replaced}
      page={isPdf(file.name) ? file.blob : undefined}
    >
      {file.offline?.onToggle !== undefined && (
        <button
          type="button"
          className="document-offline"
          aria-pressed={file.offline.isWanted}
          data-kept={file.offline.isKept}
          aria-label={t('Keep {name} offline', { name: file.name })}
          title={file.offline.isWanted ? t('Remove from this device') : t('Keep offline')}
          onClick={file.offline.onToggle}
        >
          {file.offline.isKept ? <KeptIcon aria-hidden /> : <KeepIcon aria-hidden />}
        </button>
      )}
      {file.address !== '' && <Open name={file.name} address={file.address} blob={file.blob} />}
    </DocumentCard>
  );
}

function PickedDocument({ file, onRemove }: { file: FormFile; onRemove: () => void }) {
  const address = useObjectUrl(file.blob);
  return (
    <DocumentCard
      type={FILE_TYPE_NAMES[file.type as FileType]}
      name={file.name}
      words={[sizeOf(file.blob.size)]}
      page={file.type === 'application/pdf' ? file.blob : undefined}
    >
      {address !== undefined && <Open name={file.name} address={address} blob={file.blob} />}
      <button
        type="button"
        className="document-remove"
        onClick={onRemove}
        aria-label={t('Remove {name}', { name: file.name })}
      >
        <CloseIcon aria-hidden fontSize="small" />
      </button>
    </DocumentCard>
  );
}

interface OpenProps {
  readonly name: string;
  readonly address: string;
  /** The bytes, if they are on this device. */
  readonly blob: Blob | undefined;
}

/** Opens PDFs in the app, offline too if they are on this device. Other types open in an app of the device. */
function Open({ name, address, blob }: OpenProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const show = (event: MouseEvent) => {
    // A modified click opens another tab.
    if (!isPdf(name) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <a
        className="document-open"
        href={address}
        target="_blank"
        rel="noreferrer"
        aria-label={t('Open {name}', { name })}
        onClick={show}
      >
        {t('Open')}
      </a>
      {open && <PdfViewer name={name} address={address} blob={blob} onClose={close} onMissing={close} />}
    </>
  );
}

interface DocumentCardProps {
  readonly type: string;
  readonly name: string;
  /** Details below the name. Undefined ones are left out. */
  readonly words: readonly (string | undefined)[];
  readonly replaced?: boolean;
  /** The bytes of a PDF, if they are on this device. The first page is the preview. */
  readonly page?: Blob | undefined;
  readonly children: ReactNode;
}

function DocumentCard({ type, name, words, replaced = false, page, children }: DocumentCardProps) {
  return (
    <div className="document" data-replaced={replaced}>
      <span className="document-type">
        {type}
        {page !== undefined && <FirstPage blob={page} />}
      </span>
      <span className="document-name">
        <strong title={name}>{name}</strong>
        <span>{words.filter((one) => one !== undefined).join(' · ')}</span>
      </span>
      {children}
    </div>
  );
}

function sizeOf(bytes: number | undefined): string | undefined {
  return bytes === undefined ? undefined : formatSize(bytes);
}

function isPdf(name: string): boolean {
  return /\.pdf$/i.test(name);
}

/** The everyday name of a stored file's type, from its extension. */
function typeOfName(name: string): string {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (extension.startsWith('doc')) return t('Word');
  if (extension === 'jpg' || extension === 'jpeg') return 'JPEG';
  return extension === '' ? t('File') : extension.toUpperCase();
}
