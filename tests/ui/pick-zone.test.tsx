import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { type AttachmentField, isAttachment } from '../../src/domain/fields.ts';
import { fieldOf } from '../../src/domain/resource.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { type FormFile, withFiles } from '../../src/fields/form-file.ts';
import { takeFile } from '../../src/fields/photos/take-file.ts';
import { PickZone } from '../../src/fields/photos/pick-zone.tsx';

vi.mock('../../src/fields/photos/take-file.ts', { spy: true });

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

const catalog = generators.fields.filter(isAttachment).find(({ name }) => name === 'catalog') as AttachmentField;

/** A file whose bytes arrive on command, as from a cloud drive. */
function slowFile(name: string, content: string) {
  const bytes = Promise.withResolvers<ArrayBuffer>();
  const file = new File([content], name, { type: 'application/pdf' });
  file.arrayBuffer = () => bytes.promise;
  return { file, arrives: () => bytes.resolve(new TextEncoder().encode(content).buffer as ArrayBuffer) };
}

const images = generators.fields.filter(isAttachment).find(({ name }) => name === 'images') as AttachmentField;

function Form({ field = catalog, takesPaste = false }: { field?: AttachmentField; takesPaste?: boolean }) {
  const [files, setFiles] = useState<readonly FormFile[]>([]);
  const [reading, setReading] = useState(false);
  return (
    <>
      <label htmlFor="pick">Catalogue</label>
      <PickZone
        field={field}
        id="pick"
        present={files}
        invalid={false}
        described={undefined}
        takesPaste={takesPaste}
        onAdd={(added) => setFiles((before) => withFiles(before, field, added))}
        onReading={(_, now) => setReading(now)}
      />
      <button type="button" onClick={() => setFiles([])}>
        Empty
      </button>
      <output>{reading ? 'reading' : files.map(({ name }) => name).join()}</output>
    </>
  );
}

const shown = () => screen.getByRole('status').textContent;

test('keeps the later of two picks for one place, even if the earlier one is ready last', async () => {
  render(<Form />);
  const [first, second] = [slowFile('large.pdf', '%PDF-1.7 large'), slowFile('small.pdf', '%PDF-1.7 small')];
  await userEvent.upload(screen.getByLabelText('Catalogue'), first.file);
  await userEvent.upload(screen.getByLabelText('Catalogue'), second.file);
  second.arrives();
  await waitFor(() => expect(shown()).toBe('small.pdf'));
  first.arrives();
  await readToTheEnd();
  expect(shown()).toBe('small.pdf');
});

test('does not report an earlier pick that is rejected later', async () => {
  render(<Form />);
  const [first, second] = [slowFile('notes.pdf', 'no PDF'), slowFile('small.pdf', '%PDF-1.7 small')];
  await userEvent.upload(screen.getByLabelText('Catalogue'), first.file);
  await userEvent.upload(screen.getByLabelText('Catalogue'), second.file);
  first.arrives();
  await readToTheEnd();
  expect(shown()).toBe('reading');
  second.arrives();
  await waitFor(() => expect(shown()).toBe('small.pdf'));
  expect(screen.queryByText(/notes\.pdf/)).toBeNull();
});

/** Waits until what has arrived is read, which leaves no visible sign. */
async function readToTheEnd(): Promise<void> {
  const control = slowFile('control.pdf', '%PDF-1.7 control');
  control.arrives();
  await takeFile(fieldOf(generators, 'catalog') as AttachmentField, control.file);
}

test('a form that was emptied no longer says which photo was already there', async () => {
  vi.mocked(takeFile).mockImplementation(async (_, file) => ({
    ok: true,
    file: { key: file.name, field: 'images', name: file.name, type: file.type, blob: file, sha256: 'same' },
  }));
  render(<Form field={images} />);
  const photo = (name: string) => new File(['photo'], name, { type: 'image/jpeg' });
  await userEvent.upload(screen.getByLabelText('Catalogue'), photo('a.jpg'));
  await userEvent.upload(screen.getByLabelText('Catalogue'), photo('b.jpg'));
  expect(await screen.findByText(/is already here as/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Empty' }));
  await waitFor(() => expect(screen.queryByText(/is already here as/)).toBeNull());
});

test('keeps the message about a rejected file when another of the same pick is added', async () => {
  vi.mocked(takeFile)
    .mockResolvedValueOnce({ ok: false, reason: '“a.jpg” is damaged or not a picture.' })
    .mockImplementation(async (_, file) => ({
      ok: true,
      file: { key: file.name, field: 'images', name: file.name, type: file.type, blob: file },
    }));
  render(<Form field={images} />);
  const photos = ['a.jpg', 'b.jpg'].map((name) => new File(['photo'], name, { type: 'image/jpeg' }));
  await userEvent.upload(screen.getByLabelText('Catalogue'), photos);
  await waitFor(() => expect(shown()).toBe('b.jpg'));
  expect(screen.getByText('“a.jpg” is damaged or not a picture.')).toBeDefined();
});

test('clears the messages about a pick with the next one', async () => {
  vi.mocked(takeFile).mockResolvedValueOnce({ ok: false, reason: '“a.txt” isn’t a supported type: PDF.' });
  render(<Form />);
  await userEvent.upload(screen.getByLabelText('Catalogue'), slowFile('a.pdf', 'text').file);
  const notice = await screen.findByText(/isn’t a supported type/);
  expect(notice.closest('ul')?.getAttribute('aria-live')).toBe('polite');
  const next = slowFile('b.pdf', '%PDF-1.7');
  vi.mocked(takeFile).mockReturnValueOnce(new Promise(() => undefined));
  await userEvent.upload(screen.getByLabelText('Catalogue'), next.file);
  expect(screen.queryByText(/isn’t a supported type/)).toBeNull();
});
