import CloseIcon from '@mui/icons-material/Close';
import FileIcon from '@mui/icons-material/DescriptionOutlined';
import { FILE_TYPE_NAMES, type FieldOf, type FileType } from '../domain/fields.ts';
import { formatSize } from '../ui/format.ts';
import type { AttachmentInputProps } from './attachment-input.ts';
import type { FormFile } from './form-file.ts';
import { PickZone } from './photos/pick-zone.tsx';

/** One document: its present version as a link, and the new one with name and size. */
export function FileInput(props: AttachmentInputProps<FieldOf<'file'>>) {
  const [file] = props.files;
  return (
    <>
      {props.stored.map((stored) => (
        <p className="document-present" key={stored.key}>
          <FileIcon aria-hidden fontSize="small" />
          {stored.state === 'waiting' ? (
            <span>{stored.name} waits to be sent</span>
          ) : (
            <a href={stored.address} target="_blank" rel="noreferrer">
              Present version
            </a>
          )}
          {file !== undefined && <span className="field-optional">will be replaced</span>}
        </p>
      ))}
      {file !== undefined && <DocumentCard file={file} onRemove={() => props.onRemove(file.key)} />}
      <PickZone {...props} present={props.files} />
    </>
  );
}

function DocumentCard({ file, onRemove }: { file: FormFile; onRemove: () => void }) {
  return (
    <div className="document">
      <span className="document-type">{FILE_TYPE_NAMES[file.type as FileType]}</span>
      <span className="document-name">
        <strong>{file.name}</strong>
        <span>{formatSize(file.blob.size)}</span>
      </span>
      <button type="button" className="document-remove" onClick={onRemove} aria-label={`Remove ${file.name}`}>
        <CloseIcon aria-hidden fontSize="small" />
      </button>
    </div>
  );
}
