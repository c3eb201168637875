import CloseIcon from '@mui/icons-material/Close';
import type { ReactNode } from 'react';
import { FILE_TYPE_NAMES, type FieldOf, type FileType } from '../domain/fields.ts';
import { formatSize } from '../ui/format.ts';
import type { AttachmentInputProps, PresentFile } from './attachment-input.ts';
import type { FormFile } from './form-file.ts';
import { PickZone } from './photos/pick-zone.tsx';
import { useObjectUrl } from './photos/use-object-url.ts';

/** One document: its present version and the new one that will replace it, each with its type, name, size and a way to open it. */
export function FileInput(props: AttachmentInputProps<FieldOf<'file'>>) {
  const [file] = props.files;
  return (
    <>
      {props.stored.map((stored) => (
        <PresentDocument key={stored.key} file={stored} replaced={file !== undefined} />
      ))}
      {file !== undefined && <PickedDocument file={file} onRemove={() => props.onRemove(file.key)} />}
      <PickZone {...props} present={props.files} />
    </>
  );
}

function PresentDocument({ file, replaced }: { file: PresentFile; replaced: boolean }) {
  const waits = file.state === 'waiting';
  const words = [
    waits ? 'Waiting to be sent' : undefined,
    sizeOf(file.size),
    replaced ? 'Will be replaced' : undefined,
  ];
  return (
    <DocumentCard type={typeOfName(file.name)} name={file.name} words={words} replaced={replaced}>
      {file.address !== '' && (
        <a
          className="document-open"
          href={file.address}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open ${file.name}`}
        >
          Open
        </a>
      )}
    </DocumentCard>
  );
}

function PickedDocument({ file, onRemove }: { file: FormFile; onRemove: () => void }) {
  const address = useObjectUrl(file.blob);
  return (
    <DocumentCard type={FILE_TYPE_NAMES[file.type as FileType]} name={file.name} words={[sizeOf(file.blob.size)]}>
      {address !== undefined && (
        <a className="document-open" href={address} target="_blank" rel="noreferrer" aria-label={`Open ${file.name}`}>
          Open
        </a>
      )}
      <button type="button" className="document-remove" onClick={onRemove} aria-label={`Remove ${file.name}`}>
        <CloseIcon aria-hidden fontSize="small" />
      </button>
    </DocumentCard>
  );
}

interface DocumentCardProps {
  readonly type: string;
  readonly name: string;
  /** What is to be said of it; what is undefined is left out. */
  readonly words: readonly (string | undefined)[];
  readonly replaced?: boolean;
  readonly children: ReactNode;
}

function DocumentCard({ type, name, words, replaced = false, children }: DocumentCardProps) {
  return (
    <div className="document" data-replaced={replaced}>
      <span className="document-type">{type}</span>
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

/** How people call a stored file's type, by the end of its name. */
function typeOfName(name: string): string {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (extension.startsWith('doc')) return 'Word';
  if (extension === 'jpg' || extension === 'jpeg') return 'JPEG';
  return extension === '' ? 'File' : extension.toUpperCase();
}
