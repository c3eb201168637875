import ArrowIcon from '@mui/icons-material/CallMade';
import BlurIcon from '@mui/icons-material/BlurOn';
import CropIcon from '@mui/icons-material/Crop';
import TurnIcon from '@mui/icons-material/Rotate90DegreesCwOutlined';
import UndoIcon from '@mui/icons-material/Undo';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import { type ReactNode, useState } from 'react';
import type { FormFile } from '../../form-file.ts';
import { formFile, renamed } from '../take-file.ts';
import { EditorStage } from './editor-stage.tsx';
import type { Edit, Tool } from './edits.ts';
import { usePhoto } from './use-photo.ts';
import { useGuardedClose } from '../../../ui/use-guarded-close.ts';
import { useOpen } from '../../../ui/use-open.ts';
import './photo-editor.css';
import { msg, say, t } from '../../../language/t.ts';

interface PhotoEditorProps {
  readonly file: FormFile;
  readonly onDone: (edited: FormFile) => void;
  readonly onClose: () => void;
}

const TOOLS: readonly { readonly tool: Tool; readonly label: string; readonly icon: ReactNode }[] = [
  { tool: 'crop', label: msg('Crop'), icon: <CropIcon aria-hidden /> },
  { tool: 'arrow', label: msg('Arrow'), icon: <ArrowIcon aria-hidden /> },
  { tool: 'blur', label: msg('Blur'), icon: <BlurIcon aria-hidden /> },
];

const HINTS: Readonly<Record<Tool, string>> = {
  crop: msg('Draw a frame around the part to keep.'),
  arrow: msg('Draw from the arrow’s tail to its tip.'),
  blur: msg('Draw a frame over a face or number plate.'),
};

/** Rotates, crops, blurs and adds arrows. Edits change the pixels, so blurred or cropped content never leaves the device. */
export default function PhotoEditor({ file, onDone, onClose }: PhotoEditorProps) {
  const photo = usePhoto(file.blob);
  const [edits, setEdits] = useState<readonly Edit[]>([]);
  const [tool, setTool] = useState<Tool>();
  const [saving, setSaving] = useState(false);
  const [failed, setFailed] = useState(false);
  const { isOpen } = useOpen();
  const leave = useGuardedClose(edits.length > 0, onClose);
  const add = (edit: Edit) => setEdits((before) => [...before, edit]);
  const save = async () => {
    if (photo.bitmap === undefined) return;
    setSaving(true);
    setFailed(false);
    try {
      const { exported } = await import('./export.ts');
      const blob = await exported(photo.bitmap, edits, file.type);
      const edited = await formFile(
        file.field,
        renamed(file.name, blob.type),
        blob,
        file.originalSize ?? file.blob.size,
      );
      // Cancel stays possible while the photo is saved.
      if (isOpen()) onDone(edited);
    } catch {
      // A device low on memory may refuse the canvas. The edits stay, so that the user can save again.
      setFailed(true);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Dialog
      open
      fullScreen
      onClose={leave}
      slotProps={{ paper: { className: 'photo-editor', 'aria-label': t('Edit photo') } }}
    >
      <div className="photo-editor-tools" role="toolbar" aria-label={t('Tools')}>
        <button type="button" onClick={() => add({ kind: 'turn' })} disabled={photo.bitmap === undefined}>
          <TurnIcon aria-hidden />
          {t('Rotate')}
        </button>
        {TOOLS.map((one) => (
          <button
            key={one.tool}
            type="button"
            aria-pressed={tool === one.tool}
            disabled={photo.bitmap === undefined}
            onClick={() => setTool(tool === one.tool ? undefined : one.tool)}
          >
            {one.icon}
            {say(one.label)}
          </button>
        ))}
        <button type="button" disabled={edits.length === 0} onClick={() => setEdits(edits.slice(0, -1))}>
          <UndoIcon aria-hidden />
          {t('Undo')}
        </button>
      </div>
      <output className="photo-editor-hint">
        {photo.failed || failed ? t('This photo can’t be edited here.') : tool && say(HINTS[tool])}
      </output>
      {photo.bitmap !== undefined && (
        <EditorStage key={tool} photo={photo.bitmap} edits={edits} tool={tool} onEdit={add} />
      )}
      <div className="photo-editor-foot">
        <Button color="inherit" onClick={leave}>
          {t('Cancel')}
        </Button>
        <Button variant="contained" disabled={edits.length === 0 || saving} onClick={() => void save()}>
          {saving ? t('Saving…') : t('Use photo')}
        </Button>
      </div>
    </Dialog>
  );
}
