import AddPhotoIcon from '@mui/icons-material/AddPhotoAlternateOutlined';
import CameraIcon from '@mui/icons-material/PhotoCameraOutlined';
import UploadIcon from '@mui/icons-material/UploadFileOutlined';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { type AttachmentField, FILE_TYPE_NAMES, isManyFiles, wireName } from '../../domain/fields.ts';
import { optional } from '../../ui/late.tsx';
import { isWriting } from '../../ui/writing.ts';
import type { FormFile } from '../form-file.ts';
import { emptied } from './emptied.ts';
import { useTaking } from './use-taking.ts';
import { msg, say, t } from '../../language/t.ts';

// Loaded when a photo is taken for the first time.
const CameraDialog = optional(() => import('./camera/camera-dialog.tsx'));

interface PickZoneProps {
  readonly field: AttachmentField;
  readonly id: string;
  readonly present: readonly FormFile[];
  readonly invalid: boolean;
  readonly described: string | undefined;
  readonly takesPaste: boolean;
  readonly onAdd: (files: readonly FormFile[]) => void;
  readonly onReading: (field: AttachmentField, reading: boolean) => void;
}

/** Accepts files that are picked, dropped, pasted or, on a tablet, taken with the camera. */
export function PickZone(props: PickZoneProps) {
  const { field, id, described, onReading } = props;
  const { busy, notices, take } = useTaking(field, props.present, props.onAdd);
  const { over, ...dropping } = useDrop(take);
  useEffect(() => onReading(field, busy > 0), [field, busy, onReading]);
  usePaste(props.takesPaste, take);
  const photos = field.kind !== 'file';
  const accept = photos ? `${field.accept.join(',')},image/heic,image/heif` : field.accept.join(',');
  return (
    <>
      <div className="pick">
        <div className="pick-zone" data-over={over} data-busy={busy > 0} {...dropping}>
          {/* The input covers the whole zone: a press anywhere opens the picker, and the label stays its only name. */}
          <input
            type="file"
            id={id}
            name={wireName(field)}
            accept={accept}
            multiple={isManyFiles(field)}
            aria-invalid={props.invalid}
            aria-required={field.required}
            {...(described === undefined ? {} : { 'aria-describedby': described })}
            onChange={(event) => void take(emptied(event.target))}
          />
          {photos ? <AddPhotoIcon aria-hidden /> : <UploadIcon aria-hidden />}
          <span aria-hidden>
            {busy > 0 ? readingWords(busy) : <Invitation field={field} some={props.present.length > 0} />}
          </span>
          <small aria-hidden>{[...new Set(field.accept.map((type) => FILE_TYPE_NAMES[type]))].join(', ')}</small>
        </div>
        {photos && <CameraButton many={isManyFiles(field)} onTaken={take} />}
      </div>
      <ul className="pick-notices" aria-live="polite">
        {notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    </>
  );
}

interface CameraButtonProps {
  readonly many: boolean;
  readonly onTaken: (files: readonly File[]) => Promise<void>;
}

/**
 * Opens the camera: in the app if the page may use it, else the device's own, which returns one shot at a time. Shown on
 * touch devices.
 */
function CameraButton({ many, onTaken }: CameraButtonProps) {
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const ownCamera = () => {
    setOpen(false);
    input.current?.click();
  };
  // A page loaded over plain HTTP cannot use the camera.
  const start = () => (isSecureContext ? setOpen(true) : ownCamera());
  return (
    <>
      <button type="button" className="pick-camera" onClick={start}>
        <CameraIcon aria-hidden />
        {many ? t('Take photos') : t('Take photo')}
      </button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        tabIndex={-1}
        aria-hidden
        onChange={(event) => void onTaken(emptied(event.target))}
      />
      {open && (
        <CameraDialog
          many={many}
          onTaken={onTaken}
          onOwnCamera={ownCamera}
          onClose={() => setOpen(false)}
          onMissing={ownCamera}
        />
      )}
    </>
  );
}

function useDrop(take: (files: readonly File[]) => Promise<void>) {
  const [over, setOver] = useState(false);
  return {
    over,
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      void take([...event.dataTransfer.files]);
    },
  };
}

function usePaste(takesPaste: boolean, take: (files: readonly File[]) => Promise<void>): void {
  useEffect(() => {
    if (!takesPaste) return undefined;
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || pastesText(event)) return;
      event.preventDefault();
      void take(files);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [takesPaste, take]);
}

/** True in a text field if there is text. Spreadsheets put a picture of the copied cells beside it. */
function pastesText({ target, clipboardData }: ClipboardEvent): boolean {
  return isWriting(target) && clipboardData?.types.includes('text/plain') === true;
}

function readingWords(count: number): string {
  return count === 1 ? t('Reading the file…') : t('Reading {count} files…', { count });
}

/** The text of the zone. On touch devices it does not mention dropping. */
function Invitation({ field, some }: { field: AttachmentField; some: boolean }) {
  const [first, another, also] = INVITATIONS[field.kind];
  if (some) return say(another);
  return (
    <>
      {say(first)}
      <span className="pick-desk">{say(also)}</span>
    </>
  );
}

const INVITATIONS = {
  images: [msg('Choose photos'), msg('Add more photos'), msg(', or drop or paste them here')],
  image: [msg('Choose a picture'), msg('Choose another picture'), msg(', or drop or paste it here')],
  file: [msg('Choose a file'), msg('Choose another file'), msg(', or drop it here')],
} as const satisfies Readonly<Record<AttachmentField['kind'], readonly string[]>>;
