import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AttachmentField, isAttachment } from '../../src/domain/fields.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { AttachmentFieldInput } from '../../src/fields/attachment-field.tsx';
import type { PresentFile } from '../../src/fields/attachment-input.ts';
import { type FormFile, withFiles } from '../../src/fields/form-file.ts';
import { announcePlaces } from '../../src/fields/photos/announce.ts';

vi.mock('../../src/fields/photos/editor/photo-editor.tsx', () => ({
  default: ({ file, onDone }: { file: FormFile; onDone: (edited: FormFile) => void }) => (
    <button type="button" onClick={() => onDone({ ...file, key: 'edited', name: 'edited.jpg' })}>
      Use photo
    </button>
  ),
}));

const fieldNamed = (name: string) =>
  [...generators.fields, ...partners.fields]
    .filter(isAttachment)
    .find((field) => field.name === name) as AttachmentField;
const [images, image, catalog] = [fieldNamed('images'), fieldNamed('image'), fieldNamed('catalog')];

const moved = vi.fn<(key: string, to: number) => void>();
const deleted = vi.fn<(key: string) => Promise<void>>();
const undone = vi.fn<(key: string) => Promise<void>>();

beforeEach(() => {
  URL.createObjectURL = (blob) => `blob:${(blob as File).size}`;
  URL.revokeObjectURL = () => undefined;
});
afterEach(async () => {
  cleanup();
  vi.clearAllMocks();
  await vi.dynamicImportSettled();
});

const picked = (name: string, field = images): FormFile => ({
  key: name,
  field: field.name,
  name,
  type: name.endsWith('.pdf') ? 'application/pdf' : 'image/gif',
  blob: new File([name], name),
});
const stored = (key: string, more: Partial<PresentFile> = {}): PresentFile => ({
  key,
  name: `${key}.png`,
  address: `/uploads/${key}.png`,
  thumbnail: `/small/${key}.png`,
  ...more,
});

interface Shown {
  readonly field?: AttachmentField;
  readonly files?: readonly FormFile[];
  readonly stored?: readonly PresentFile[];
  readonly errors?: readonly (string | undefined)[];
  readonly error?: string;
  readonly hint?: string;
  readonly actions?: boolean;
  readonly takesPaste?: boolean;
}

function Field(props: Shown) {
  const { field = images } = props;
  const [files, setFiles] = useState(props.files ?? []);
  return (
    <>
      <AttachmentFieldInput
        field={field}
        files={files}
        stored={props.stored ?? []}
        error={props.error}
        hint={props.hint}
        fileErrors={props.errors ?? []}
        takesPaste={props.takesPaste ?? false}
        onAdd={(added) => setFiles((before) => withFiles(before, field, added))}
        onReading={() => undefined}
        onRemove={(key) => setFiles((before) => before.filter((file) => file.key !== key))}
        onMove={moved}
        storedActions={props.actions ? { onDelete: deleted, onUndo: undone } : undefined}
      />
      <output aria-label="Picked">{files.map(({ name }) => name).join()}</output>
    </>
  );
}

const names = () => screen.getByRole('status', { name: 'Picked' }).textContent;
const tiles = (name: string) => within(screen.getByRole('list', { name })).getAllByRole('listitem');
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('numbers stored photos, shows their pending changes, and lets each be deleted or kept', async () => {
  const photos = [stored('11', { state: 'leaving' }), stored('12'), stored('f-1', { state: 'waiting' })];
  render(<Field stored={photos} actions />);
  const section = screen.getByRole('heading', { name: 'Previous Images' }).closest('section') ?? document.body;
  const [leaving, first, waiting] = within(section).getAllByRole('listitem');
  expect(leaving?.textContent).toContain('Will be deleted when sent');
  expect(waiting?.textContent).toContain('Waiting to be sent');
  expect([leaving, first, waiting].map((tile) => tile?.textContent.includes('Cover'))).toEqual([false, true, false]);
  expect(leaving?.querySelector('.tile')?.getAttribute('data-faded')).toBe('true');
  expect(first?.querySelector('img')?.getAttribute('src')).toBe('/small/12.png');
  await press('Delete photo 2');
  expect(deleted).toHaveBeenCalledExactlyOnceWith('12');
  await press('Undo: keep photo 1');
  expect(undone).toHaveBeenCalledExactlyOnceWith('11');
  expect(screen.queryByRole('button', { name: 'Delete photo 1' })).toBeNull();
});

test('the first new photo is the cover only where no stored one stays', () => {
  const { rerender } = render(<Field key="none" files={[picked('a.gif'), picked('b.gif')]} />);
  const covers = () => tiles('New photos').map((tile) => tile.textContent.includes('Cover'));
  expect(covers()).toEqual([true, false]);
  rerender(<Field key="stays" files={[picked('a.gif'), picked('b.gif')]} stored={[stored('11')]} />);
  expect(covers()).toEqual([false, false]);
  rerender(
    <Field key="goes" files={[picked('a.gif'), picked('b.gif')]} stored={[stored('11', { state: 'leaving' })]} />,
  );
  expect(covers()).toEqual([true, false]);
});

test('new photos show their errors, are moved by buttons and removed by name', async () => {
  const files = [picked('a.gif'), picked('b.gif'), picked('c.gif')];
  render(<Field files={files} errors={[undefined, 'Too large.']} error="One photo is wrong." />);
  const [first, second, third] = tiles('New photos');
  expect([first, second, third].map((tile) => tile?.textContent.includes('Too large.'))).toEqual([false, true, false]);
  expect(second?.querySelector('.tile')?.getAttribute('data-invalid')).toBe('true');
  const input = document.querySelector<HTMLInputElement>('.pick-zone input');
  expect(input?.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(input?.getAttribute('aria-describedby') ?? '')?.textContent).toContain(
    'One photo is wrong.',
  );
  await press('Remove b.gif');
  expect(names()).toBe('a.gif,c.gif');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Enlarge c.gif' }));
  await press('Move a.gif later');
  expect(moved).toHaveBeenLastCalledWith('a.gif', 1);
  await press('Move c.gif earlier');
  expect(moved).toHaveBeenLastCalledWith('c.gif', 0);
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
  for (const atItsEnd of ['Move a.gif earlier', 'Move c.gif later']) {
    // Chromium takes the focus from a button that becomes disabled.
    expect(button(atItsEnd).disabled).toBe(false);
    expect(button(atItsEnd).getAttribute('aria-disabled')).toBe('true');
    moved.mockClear();
    await press(atItsEnd);
    expect(moved).not.toHaveBeenCalled();
  }
  expect(button('Position of c.gif: 2 of 2')).toBeDefined();
  await press('Remove c.gif');
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Enlarge a.gif' }));
  await press('Remove a.gif');
  expect(document.activeElement).toBe(input);
});

test.each([images, image])('an edited photo has the focus in place of the one it replaces (%#)', async (field) => {
  render(<Field field={field} files={[{ ...picked('a.jpg', field), type: 'image/jpeg' }]} />);
  await press('Edit photo a.jpg');
  await press('Use photo');
  expect(names()).toBe('edited.jpg');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Enlarge edited.jpg' }));
});

test('adds photos by pick and by drop, and allows picking again', async () => {
  render(<Field files={[picked('a.gif')]} />);
  const input = document.querySelector<HTMLInputElement>('.pick-zone input') as HTMLInputElement;
  expect([input.multiple, input.name, input.required]).toEqual([true, 'images[]', false]);
  await userEvent.upload(input, new File(['GIF89a-b'], 'b.gif', { type: 'image/gif' }));
  await waitFor(() => expect(names()).toBe('a.gif,b.gif'));
  expect(input.files).toHaveLength(0);
  const zone = document.querySelector('.pick-zone') as HTMLElement;
  fireEvent.dragOver(zone);
  expect(zone.dataset['over']).toBe('true');
  fireEvent.dragLeave(zone);
  expect(zone.dataset['over']).toBe('false');
  fireEvent.dragOver(zone);
  fireEvent.drop(zone, { dataTransfer: { files: [new File(['GIF89a-c'], 'c.gif', { type: 'image/gif' })] } });
  expect(zone.dataset['over']).toBe('false');
  await waitFor(() => expect(names()).toBe('a.gif,b.gif,c.gif'));
});

/** Pastes files, or a text, anywhere on the page. Returns true if the browser's own handling is left alone. */
function paste(...files: readonly File[]): boolean {
  const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData: { files } });
  let left = true;
  act(() => {
    left = document.body.dispatchEvent(event);
  });
  return left;
}

test('adds a pasted picture to the field that takes it, and ignores pasted text', async () => {
  render(<Field takesPaste />);
  expect(paste()).toBe(true);
  expect(paste(new File(['GIF89a-p'], 'pasted.gif', { type: 'image/gif' }))).toBe(false);
  await waitFor(() => expect(names()).toBe('pasted.gif'));
  cleanup();
  render(<Field />);
  expect(paste(new File(['GIF89a-p'], 'pasted.gif', { type: 'image/gif' }))).toBe(true);
});

test('shows a picture beside the one it will replace, and replaces it with the next pick', async () => {
  render(<Field field={image} stored={[stored('logo')]} />);
  expect(screen.getByRole('heading', { name: 'Previous image' })).toBeDefined();
  expect(screen.queryByRole('heading', { name: 'New image' })).toBeNull();
  const input = document.querySelector<HTMLInputElement>('.pick-zone input') as HTMLInputElement;
  expect(input.multiple).toBe(false);
  await userEvent.upload(input, new File(['GIF89a-1'], 'one.gif', { type: 'image/gif' }));
  await waitFor(() => expect(names()).toBe('one.gif'));
  expect(screen.getByRole('heading', { name: 'New image' })).toBeDefined();
  await userEvent.upload(input, new File(['GIF89a-2'], 'two.gif', { type: 'image/gif' }));
  await waitFor(() => expect(names()).toBe('two.gif'));
  expect(screen.queryByRole('button', { name: /^Delete photo/ })).toBeNull();
});

test('a first picture is not called a new one', () => {
  render(<Field field={image} files={[picked('one.gif', image)]} />);
  expect(screen.queryByRole('heading', { name: 'New image' })).toBeNull();
});

test('shows the type and size of a document, whether it waits, and what replaces it', () => {
  const plan = stored('plan', { name: 'plan.docx', size: 2_000_000, state: 'waiting' });
  const { rerender } = render(<Field key="one" field={catalog} stored={[plan]} />);
  const card = () => document.querySelector('.document');
  expect(card()?.textContent).toBe('Wordplan.docxWaiting to be sent · 2.0 MBOpen');
  expect(card()?.getAttribute('data-replaced')).toBe('false');
  rerender(
    <Field
      key="two"
      field={catalog}
      stored={[{ ...plan, state: undefined as never }]}
      files={[picked('new.pdf', catalog)]}
    />,
  );
  const [present, next] = document.querySelectorAll('.document');
  expect(present?.textContent).toBe('Wordplan.docx2.0 MB · Will be replacedOpen');
  expect(present?.getAttribute('data-replaced')).toBe('true');
  expect(next?.textContent).toContain('PDFnew.pdf7 bytes');
  rerender(<Field key="three" field={catalog} stored={[stored('photo', { name: 'photo.JPG', address: '' })]} />);
  expect(card()?.textContent).toBe('JPEGphoto.JPG');
  expect(screen.queryByRole('link', { name: 'Open photo.JPG' })).toBeNull();
  rerender(<Field key="four" field={catalog} stored={[stored('plan', { name: 'plan', address: '' })]} />);
  expect(card()?.textContent).toBe('Fileplan');
});

test('removes a picked document, and keeps a stored one offline on request', async () => {
  const toggled = vi.fn<() => void>();
  const offline = { isWanted: false, isKept: false, words: undefined, onToggle: toggled };
  const { rerender } = render(
    <Field
      key="one"
      field={catalog}
      files={[picked('new.pdf', catalog)]}
      stored={[stored('plan', { name: 'plan.pdf', offline })]}
    />,
  );
  await press('Remove new.pdf');
  expect(names()).toBe('');
  expect(document.activeElement).toBe(document.querySelector('.pick-zone input'));
  const keep = screen.getByRole('button', { name: 'Keep plan.pdf offline' });
  expect([keep.getAttribute('aria-pressed'), keep.title]).toEqual(['false', 'Keep offline']);
  await userEvent.click(keep);
  expect(toggled).toHaveBeenCalledOnce();
  const wanted = { ...offline, isWanted: true, words: 'No longer on the server' };
  rerender(<Field key="two" field={catalog} stored={[stored('plan', { name: 'plan.pdf', offline: wanted })]} />);
  expect(screen.queryByTestId('OfflinePinOutlinedIcon')).toBeNull();
  const here = { ...wanted, isKept: true, words: 'On this device' };
  rerender(<Field key="three" field={catalog} stored={[stored('plan', { name: 'plan.pdf', offline: here })]} />);
  const kept = screen.getByRole('button', { name: 'Keep plan.pdf offline' });
  expect([kept.getAttribute('aria-pressed'), kept.title]).toEqual(['true', 'Remove from this device']);
  expect(within(kept).getByTestId('OfflinePinOutlinedIcon')).toBeDefined();
  expect(document.querySelector('.document')?.textContent).toContain('On this device');
});

test('opens other documents in a new tab, and leaves Ctrl-click on a PDF to the browser', () => {
  render(<Field field={catalog} stored={[stored('plan', { name: 'plan.docx', address: '/uploads/plan.docx' })]} />);
  const open = screen.getByRole('link', { name: 'Open plan.docx' });
  expect([open.getAttribute('href'), open.getAttribute('target')]).toEqual(['/uploads/plan.docx', '_blank']);
  expect(fireEvent.click(open)).toBe(true);
  cleanup();
  render(<Field field={catalog} stored={[stored('plan', { name: 'plan.PDF', address: '/uploads/plan.pdf' })]} />);
  const pdf = screen.getByRole('link', { name: 'Open plan.PDF' });
  expect(fireEvent.click(pdf, { ctrlKey: true })).toBe(true);
});

test('says what each kind of field accepts, and that more can be added', () => {
  const said = () => document.querySelector('.pick-zone > span')?.textContent;
  const { rerender } = render(<Field key="1" />);
  expect(said()).toBe('Choose photos, or drop or paste them here');
  rerender(<Field key="2" files={[picked('a.gif')]} />);
  expect(said()).toBe('Add more photos');
  rerender(<Field key="3" field={catalog} />);
  expect(said()).toBe('Choose a file, or drop it here');
  rerender(<Field key="4" field={image} files={[picked('a.gif', image)]} />);
  expect(said()).toBe('Choose another picture');
});

test('the zone lists each accepted type once, and offers the camera for photos only', () => {
  const types = () => document.querySelector('.pick-zone small')?.textContent.split(', ') ?? [];
  const cameras = () => screen.queryAllByRole('button', { name: /^Take/ }).map(({ textContent }) => textContent);
  const { rerender } = render(<Field key="1" />);
  expect(cameras()).toEqual(['Take photos']);
  rerender(<Field key="2" field={image} />);
  expect(cameras()).toEqual(['Take photo']);
  rerender(<Field key="3" field={catalog} />);
  expect(cameras()).toEqual([]);
  expect(types()).toContain('Word');
  expect(types()).toEqual([...new Set(types())]);
});

test('moves a dropped photo to the position of the one below it', () => {
  // Tiles of 100 px in one row, since jsdom has no layout.
  const rect = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: HTMLElement,
  ) {
    const tile = this.closest('li');
    const at = tile === null ? 0 : [...(tile.parentElement?.children ?? [])].indexOf(tile);
    return new DOMRect(at * 100, 0, 100, 100);
  });
  render(<Field files={[picked('a.gif'), picked('b.gif'), picked('c.gif')]} />);
  const [first] = tiles('New photos');
  fireEvent.mouseDown(first as HTMLElement, { button: 0, clientX: 50, clientY: 50 });
  for (const clientX of [60, 150, 250]) fireEvent.mouseMove(document, { clientX, clientY: 50 });
  fireEvent.mouseUp(document, { clientX: 250, clientY: 50 });
  expect(moved).toHaveBeenCalledExactlyOnceWith('a.gif', 2);
  rect.mockRestore();
});

test('shows an error rather than a hint, and does not mark the field as invalid for a hint', () => {
  const { rerender } = render(<Field error="It is missing." hint="It should be smaller." />);
  expect(screen.getByText('It is missing.')).toBeDefined();
  expect(screen.queryByText('It should be smaller.')).toBeNull();
  rerender(<Field hint="It should be smaller." />);
  expect(screen.getByText('It should be smaller.')).toBeDefined();
  expect(document.querySelector('.pick-zone input')?.getAttribute('aria-invalid')).toBe('false');
});

test('announces a move by keyboard with names and positions', () => {
  const { announcements } = announcePlaces([
    { key: 'a', name: 'roof.gif' },
    { key: 'b', name: 'mill.gif' },
  ]);
  const [active, over] = [{ id: 'a' }, { id: 'b' }];
  const say = (told: unknown) => (told as (event: unknown) => string | undefined)({ active, over });
  expect(say(announcements?.onDragStart)).toBe('Picked up roof.gif from position 1 of 2.');
  expect(say(announcements?.onDragOver)).toBe('roof.gif is over position 2 of 2.');
  expect(say(announcements?.onDragEnd)).toBe('Dropped roof.gif at position 2 of 2.');
  expect(say(announcements?.onDragCancel)).toBe('roof.gif is back at position 1 of 2.');
});

test('numbers photos that can be deleted one by one, but not a single picture', () => {
  const { rerender } = render(<Field key="many" stored={[stored('11')]} actions />);
  expect(screen.getByText('Photo 1')).toBeDefined();
  rerender(<Field key="one" field={image} stored={[stored('logo')]} />);
  expect(screen.queryByText('Photo 1')).toBeNull();
  expect(screen.getByRole('button', { name: 'Enlarge Photo 1' })).toBeDefined();
});
