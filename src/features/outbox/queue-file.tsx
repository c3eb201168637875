import DownloadIcon from '@mui/icons-material/FileDownloadOutlined';
import UploadIcon from '@mui/icons-material/FileUploadOutlined';
import Button from '@mui/material/Button';
import { useRef } from 'react';
import { outbox, QueueFileError } from '../../api/outbox.ts';
import { download } from '../../resource/csv/csv-export.ts';
import { told } from '../../resource/told.ts';
import { notify } from '../../stores/notifications.ts';
import { formatCount } from '../../ui/format.ts';

/** The whole queue as one file: carried off a dying tablet, taken in on another. */
export function QueueFile({ administrator, canExport }: { administrator: string; canExport: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      {canExport && (
        <Button
          color="inherit"
          variant="outlined"
          startIcon={<DownloadIcon />}
          onClick={() => void told(exportQueue(administrator), 'Nothing was exported.')}
        >
          Export
        </Button>
      )}
      <Button color="inherit" variant="outlined" startIcon={<UploadIcon />} onClick={() => input.current?.click()}>
        Import
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Queue file"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) void importQueue(file);
          event.target.value = '';
        }}
      />
    </>
  );
}

async function exportQueue(administrator: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  download(await outbox.exportQueue(administrator), `outbox-${day}.voltdesk`);
}

async function importQueue(file: File): Promise<void> {
  const result = await told(outbox.importQueue(file).catch(refusedFile), 'Nothing imported.');
  if (result === undefined) return;
  const { added, known } = result;
  const left = known === 0 ? '' : ` ${formatCount(known, 'change was', 'changes were')} here already.`;
  notify(`${formatCount(added, 'change')} imported.${left}`, { kind: 'success' });
}

/** A file that cannot be used is told in its own words. */
function refusedFile(failure: unknown): undefined {
  if (!(failure instanceof QueueFileError)) throw failure;
  notify(failure.message, { kind: 'error' });
}
