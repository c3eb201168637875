import DownloadIcon from '@mui/icons-material/FileDownloadOutlined';
import UploadIcon from '@mui/icons-material/FileUploadOutlined';
import Button from '@mui/material/Button';
import { useRef } from 'react';
import { outbox, QueueFileError } from '../../api/outbox.ts';
import { download } from '../../resource/csv/csv-export.ts';
import { told } from '../../resource/told.ts';
import { notify } from '../../stores/notifications.ts';
import { t } from '../../language/t.ts';

/** Exports the whole queue as one file, for example off a dying tablet, and imports one. */
export function QueueFile({ administrator, canExport }: { administrator: string; canExport: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      {canExport && (
        <Button
          color="inherit"
          variant="outlined"
          startIcon={<DownloadIcon />}
          onClick={() => void told(exportQueue(administrator), t('Nothing was exported.'))}
        >
          {t('Export')}
        </Button>
      )}
      <Button color="inherit" variant="outlined" startIcon={<UploadIcon />} onClick={() => input.current?.click()}>
        {t('Import')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('Queue file')}
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
  const result = await told(outbox.importQueue(file).catch(refusedFile), t('Nothing imported.'));
  if (result === undefined) return;
  const { added, known } = result;
  const left =
    known === 0
      ? ''
      : ` ${t('{count, plural, one {# change was} other {# changes were}} here already.', { count: known })}`;
  notify(`${t('{count, plural, one {# change} other {# changes}} imported.', { count: added })}${left}`, {
    kind: 'done',
  });
}

/** Reports why a file cannot be imported; any other failure is rethrown. */
function refusedFile(failure: unknown): undefined {
  if (!(failure instanceof QueueFileError)) throw failure;
  notify(failure.message, { kind: 'error' });
}
