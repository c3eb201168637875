import DownloadIcon from '@mui/icons-material/FileDownloadOutlined';
import UploadIcon from '@mui/icons-material/FileUploadOutlined';
import Button from '@mui/material/Button';
import { useRef } from 'react';
import { outbox } from '../../api/outbox.ts';
import { download } from '../../resource/csv/csv-export.ts';
import { notify } from '../../stores/notifications.ts';
import { formatCount } from '../../ui/format.ts';

/** The whole queue as one file: carried off a dying tablet, taken in on another. */
export function QueueFile({ administrator, canExport }: { administrator: string; canExport: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        color="inherit"
        variant="outlined"
        startIcon={<DownloadIcon />}
        disabled={!canExport}
        onClick={() => void told(exportQueue(administrator))}
      >
        Export
      </Button>
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
          if (file !== undefined) void told(importQueue(file));
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
  const { added, known } = await outbox.importQueue(file);
  const left = known === 0 ? '' : ` ${formatCount(known, 'change was', 'changes were')} here already.`;
  notify(`${formatCount(added, 'change')} taken in.${left}`, { kind: 'success' });
}

async function told(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    notify(error instanceof Error ? error.message : 'The file could not be used.', { kind: 'error' });
  }
}
