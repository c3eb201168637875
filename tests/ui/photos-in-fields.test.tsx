import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PointerEvent } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AttachmentField, isAttachment } from '../../src/domain/fields.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { FileInput } from '../../src/fields/file-input.tsx';
import type { FormFile } from '../../src/fields/form-file.ts';
import { ImageInput } from '../../src/fields/image-input.tsx';
import { ImagesInput } from '../../src/fields/images-input.tsx';
import { type LargePicture, Lightbox } from '../../src/fields/photos/lightbox.tsx';
import { takeFile } from '../../src/fields/photos/take-file.ts';
import { useObjectUrl } from '../../src/fields/photos/use-object-url.ts';
import { useStage } from '../../src/fields/photos/use-stage.ts';
import { useTaking } from '../../src/fields/photos/use-taking.ts';

/** Pictures and documents of a form: enlarged, edited, taken and released. */

const viewed = vi.hoisted(() => ({ camera: undefined as undefined | { many: boolean; onOwnCamera: () => void } }));
vi.mock('../../src/fields/photos/take-file.ts', { spy: true });
vi.mock('../../src/fields/photos/editor/photo-editor.tsx', () => ({
  default: ({ file, onDone }: { file: FormFile; onDone: (edited: FormFile) => void }) => (
    <button type="button" onClick={() => onDone({ ...file, key: `${file.key}-edited` })}>
      Done with {file.name}
    </button>
  ),
}));
vi.mock('../../src/fields/photos/camera/camera-dialog.tsx', () => ({
  default: (props: { many: boolean; onOwnCamera: () => void }) => {
    viewed.camera = props;
    return <p>The camera of the app</p>;
  },
}));
vi.mock('../../src/fields/documents/pdf-viewer.tsx', () => ({
  default: ({ name, onClose }: { name: string; onClose: () => void }) => (
    <button type="button" onClick={onClose}>
      Close {name}
    </button>
  ),
}));
vi.mock('../../src/fields/documents/first-page.tsx', () => ({ FirstPage: () => <i>First page</i> }));

const attachments = [...generators.fields, ...partners.fields].filter(isAttachment);
const named = <K extends AttachmentField['kind']>(kind: K) =>
  attachments.find((field) => field.kind === kind) as Extract<AttachmentField, { kind: K }>;

const revoked = vi.fn<(address: string) => void>();
let opened = 0;
beforeEach(() => {
  opened = 0;
  URL.createObjectURL = () => {
    opened += 1;
    return `blob:${opened}`;
  };
  URL.revokeObjectURL = revoked;
});
afterEach(async () => {
  cleanup();
  vi.clearAllMocks();
  vi.mocked(takeFile).mockReset();
  vi.unstubAllGlobals();
  await vi.dynamicImportSettled();
});

const photo = (name: string, field = 'images', type = 'image/jpeg'): FormFile => ({
  key: name,
  field,
  name,
  type,
  blob: new File([name], name),
});

function inputProps<F extends AttachmentField>(field: F, files: readonly FormFile[]) {
  const told = { onAdd: vi.fn(), onRemove: vi.fn(), onMove: vi.fn(), onReading: vi.fn() };
  const rest = { id: 'input', invalid: false, described: undefined, fileErrors: [], takesPaste: false, stored: [] };
  return { ...rest, ...told, field, files };
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

const three: readonly LargePicture[] = ['one', 'two', 'three'].map((key) => ({
  key,
  name: `${key}.jpg`,
  address: `/large/${key}`,
  thumbnail: `/small/${key}`,
}));
const onOpen = vi.fn<(key: string | undefined) => void>();
const lightbox = (open: string | undefined) => <Lightbox pictures={three} open={open} onOpen={onOpen} />;
const large = () => screen.getByRole<HTMLImageElement>('img');

test('arrow keys move to the previous and next picture, and stop at the ends', () => {
  const complain = vi.spyOn(console, 'error');
  const { rerender } = render(lightbox('two'));
  expect(complain).not.toHaveBeenCalled();
  expect(screen.getByText('· 2 of 3', { exact: false })).toBeDefined();
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'ArrowLeft' });
  expect(onOpen).toHaveBeenLastCalledWith('one');
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'ArrowRight' });
  expect(onOpen).toHaveBeenLastCalledWith('three');
  rerender(lightbox('three'));
  onOpen.mockClear();
  const ends = () => ['Previous', 'Next'].map((name) => screen.getByRole('button', { name }).ariaDisabled);
  expect(ends()).toEqual(['false', 'true']);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'ArrowRight' });
  expect(onOpen).not.toHaveBeenCalled();
  rerender(lightbox('one'));
  expect(ends()).toEqual(['true', 'false']);
});

test('a picture is magnified step by step, and the next one is shown whole', async () => {
  const { rerender } = render(lightbox('one'));
  const zoomed = () => large().style.width;
  expect([large().alt, zoomed()]).toEqual(['one.jpg', '']);
  // a drag moves the magnified picture within its frame, and does not drag it away
  expect(large().draggable).toBe(false);
  const disabled = () => ['Zoom out', 'Zoom in'].map((name) => screen.getByRole('button', { name }).ariaDisabled);
  expect(disabled()).toEqual(['true', 'false']);
  await press('Zoom out');
  expect(disabled()).toEqual(['true', 'false']);
  await press('Zoom in');
  expect(zoomed()).toBe('200%');
  fireEvent.keyDown(screen.getByRole('dialog'), { key: '+' });
  expect([zoomed(), ...disabled()]).toEqual(['400%', 'false', 'true']);
  await press('Zoom out');
  fireEvent.keyDown(screen.getByRole('dialog'), { key: '-' });
  expect(zoomed()).toBe('');
  await press('Zoom in');
  await press('Next');
  rerender(lightbox('two'));
  expect(zoomed()).toBe('');
  await press('Zoom in');
  await press('Close');
  rerender(lightbox(undefined));
  rerender(lightbox('two'));
  expect(zoomed()).toBe('');
});

test('falls back to the small picture, and says when neither is on this device', () => {
  render(lightbox('one'));
  expect(large().getAttribute('src')).toBe('/large/one');
  fireEvent.error(large());
  expect(large().getAttribute('src')).toBe('/small/one');
  fireEvent.error(large());
  expect(screen.getByText('This picture is not on this device yet.')).toBeDefined();
});

test('offers no navigation for a single picture', () => {
  render(<Lightbox pictures={three.slice(0, 1)} open="one" onOpen={onOpen} />);
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
  expect(screen.queryByText(/1 of 1/)).toBeNull();
});

test('a press on a photo opens that photo, and Close closes it', async () => {
  render(<ImagesInput {...inputProps(named('images'), [photo('a.jpg'), photo('b.jpg')])} />);
  await press('Enlarge b.jpg');
  expect(screen.getByRole('dialog', { name: 'b.jpg' })).toBeDefined();
  await press('Close');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('replaces a photo by its edited version', async () => {
  const props = inputProps(named('images'), [photo('a.jpg'), photo('b.jpg'), photo('c.gif', 'images', 'image/gif')]);
  render(<ImagesInput {...props} />);
  // an edit would keep only the first frame of an animated one
  expect(screen.queryByRole('button', { name: 'Edit photo c.gif' })).toBeNull();
  await press('Edit photo b.jpg');
  await press('Done with b.jpg');
  expect(props.onAdd).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ key: 'b.jpg-edited' })]);
  expect(props.onMove).toHaveBeenCalledExactlyOnceWith('b.jpg-edited', 1);
  expect(props.onRemove).toHaveBeenCalledExactlyOnceWith('b.jpg');
  expect(screen.queryByText('Done with b.jpg')).toBeNull();
});

test('uses an edited single picture in place of the picked one', async () => {
  const props = inputProps(named('image'), [photo('logo.jpg', 'image')]);
  render(<ImageInput {...props} />);
  await press('Edit photo logo.jpg');
  await press('Done with logo.jpg');
  expect(props.onAdd).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ key: 'logo.jpg-edited' })]);
});

test('shows both sizes of a reduced photo, the original first', () => {
  const smaller = { ...photo('a.jpg'), blob: new File(['x'.repeat(2000)], 'a.jpg'), originalSize: 5_000_000 };
  render(<ImagesInput {...inputProps(named('images'), [smaller])} />);
  expect(screen.getByText(/^5(\.0)? MB → 2(\.0)? kB$/)).toBeDefined();
});

test('opens stored photos by number in their large version', async () => {
  const stored = [1, 2].map((id) => ({ key: `${id}`, name: 'x1y2.jpg', address: `/l/${id}`, thumbnail: `/s/${id}` }));
  render(<ImagesInput {...inputProps(named('images'), [])} stored={stored} />);
  await press('Enlarge Photo 2');
  expect(screen.getByRole('dialog', { name: 'Photo 2' })).toBeDefined();
  expect(screen.getByRole('img', { name: 'Photo 2' }).getAttribute('src')).toBe('/l/2');
});

test('opens a PDF over the form, but in a new tab if that is requested', async () => {
  const bytes = new File(['%PDF'], 'plan.PDF');
  const plan = { key: 'plan', name: 'plan.PDF', address: '/uploads/plan.pdf', thumbnail: '', blob: bytes };
  render(<FileInput {...inputProps(named('file'), [])} stored={[plan]} />);
  const open = screen.getByRole('link', { name: 'Open plan.PDF' });
  open.addEventListener('click', (event) => event.preventDefault());
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey']) fireEvent.click(open, { [key]: true });
  await act(async () => void (await import('../../src/fields/documents/pdf-viewer.tsx')));
  expect(screen.queryByText('Close plan.PDF')).toBeNull();
  fireEvent.click(open);
  await press('Close plan.PDF');
  expect(screen.queryByText('Close plan.PDF')).toBeNull();
});

test('shows the first page only of a PDF that is on this device', () => {
  const blob = new File(['PK'], 'plan');
  const stored = { key: 'plan', address: '/uploads/plan', thumbnail: '' };
  const pages = () => screen.queryAllByText('First page').length;
  const input = (name: string, files: readonly FormFile[] = []) => (
    <FileInput {...inputProps(named('file'), files)} stored={[{ ...stored, name, blob }]} />
  );
  const { rerender } = render(input('plan.pdf'));
  expect(document.querySelector<HTMLInputElement>('#input')?.accept).toBe(named('file').accept.join());
  expect(pages()).toBe(1);
  rerender(input('plan.docx'));
  expect(pages()).toBe(0);
  rerender(input('plan.docx', [photo('new.docx', 'catalog', 'application/msword')]));
  expect(pages()).toBe(0);
  rerender(input('plan.docx', [photo('new.pdf', 'catalog', 'application/pdf')]));
  expect(pages()).toBe(1);
});

test('shares an object URL, revokes it when unused, and creates a new one later', () => {
  const blob = new Blob(['x']);
  const first = renderHook(() => useObjectUrl(blob));
  const second = renderHook(() => useObjectUrl(blob));
  expect([first.result.current, second.result.current]).toEqual(['blob:1', 'blob:1']);
  first.unmount();
  expect(revoked).not.toHaveBeenCalled();
  second.unmount();
  expect(revoked).toHaveBeenCalledExactlyOnceWith('blob:1');
  expect(renderHook(() => useObjectUrl(blob)).result.current).toBe('blob:2');
});

/** A frame of 100 pixels that shows a picture of this many. */
function frameOf(size: number) {
  const frame = document.createElement('div');
  for (const side of ['clientWidth', 'clientHeight']) Object.defineProperty(frame, side, { value: 100 });
  let whole = size;
  for (const side of ['scrollWidth', 'scrollHeight']) Object.defineProperty(frame, side, { get: () => whole });
  frame.scrollBy = vi.fn() as never;
  return { frame, grow: (to: number) => void (whole = to) };
}

test('keeps the centre of a magnified picture, and starts a whole one in its centre', () => {
  const { frame, grow } = frameOf(100);
  const { result, rerender } = renderHook(({ zoom }) => useStage(zoom), { initialProps: { zoom: 1 } });
  act(() => result.current.ref(frame));
  grow(200);
  rerender({ zoom: 2 });
  expect([frame.scrollLeft, frame.scrollTop]).toEqual([50, 50]);
  [frame.scrollLeft, frame.scrollTop] = [100, 0];
  act(() => result.current.onScroll());
  grow(400);
  rerender({ zoom: 4 });
  expect([frame.scrollLeft, frame.scrollTop]).toEqual([250, 50]);
  grow(100);
  rerender({ zoom: 1 });
  act(() => result.current.onScroll());
  grow(200);
  rerender({ zoom: 2 });
  expect([frame.scrollLeft, frame.scrollTop]).toEqual([50, 50]);
});

test('lets a mouse drag a magnified picture, but leaves touch to scrolling', () => {
  const { frame } = frameOf(200);
  const { result } = renderHook(() => useStage(2));
  act(() => result.current.ref(frame));
  const move = (more: object) =>
    result.current.onPointerMove({
      buttons: 1,
      pointerType: 'mouse',
      movementX: 5,
      movementY: -3,
      ...more,
    } as unknown as PointerEvent);
  move({ pointerType: 'touch' });
  move({ buttons: 0 });
  expect(frame.scrollBy).not.toHaveBeenCalled();
  move({});
  expect(frame.scrollBy).toHaveBeenCalledExactlyOnceWith(-5, 3);
});

/** Files that are ready at once; those of the same text are the same picture. */
async function ready() {
  vi.mocked(takeFile).mockImplementation(async (field, file) => ({
    ok: true,
    file: {
      key: file.name,
      field: field.name,
      name: file.name,
      type: file.type,
      blob: file,
      sha256: await file.text(),
    },
  }));
}

const file = (name: string, text = name) => new File([text], name, { type: 'image/jpeg' });

test('takes the last of several files for one place, and the first of duplicates picked together', async () => {
  await ready();
  const onAdd = vi.fn<(files: readonly FormFile[]) => void>();
  const added = () => onAdd.mock.calls.map(([[one]]) => one?.name);
  const single = renderHook(() => useTaking(named('image'), [], onAdd));
  await act(() => single.result.current.take([file('a.jpg'), file('b.jpg')]));
  expect([added(), single.result.current.busy]).toEqual([['b.jpg'], 0]);
  onAdd.mockClear();
  const none: readonly FormFile[] = [];
  const many = renderHook(() => useTaking(named('images'), none, onAdd));
  await act(() => many.result.current.take([file('a.jpg', 'same'), file('b.jpg', 'same'), file('c.jpg')]));
  expect(added()).toEqual(['a.jpg', 'c.jpg']);
  expect(many.result.current.notices).toEqual(['“b.jpg” is already here as “a.jpg”, so it was not added again.']);
  await act(() => many.result.current.take([file('d.jpg')]));
  expect(many.result.current.notices).toEqual([]);
});

test('reports each file that is not accepted, and adds the others', async () => {
  await ready();
  vi.mocked(takeFile).mockResolvedValueOnce({ ok: false, reason: '“a.txt” isn’t a picture.' });
  const onAdd = vi.fn<(files: readonly FormFile[]) => void>();
  const here = [{ ...photo('roof.jpg'), sha256: 'same' }];
  const taking = renderHook(() => useTaking(named('images'), here, onAdd));
  await act(() => taking.result.current.take([file('a.txt'), file('b.jpg'), file('c.jpg', 'same')]));
  expect(onAdd.mock.calls.map(([[one]]) => one?.name)).toEqual(['b.jpg']);
  expect(taking.result.current.notices).toEqual([
    '“a.txt” isn’t a picture.',
    '“c.jpg” is already here as “roof.jpg”, so it was not added again.',
  ]);
  expect(taking.result.current.busy).toBe(0);
});

test('allows the same picture in another field, and never compares pictures without a hash', async () => {
  await ready();
  const onAdd = vi.fn<(files: readonly FormFile[]) => void>();
  const here = [{ ...photo('logo.jpg', 'image'), sha256: 'same' }];
  const taking = renderHook(() => useTaking(named('images'), here, onAdd));
  await act(() => taking.result.current.take([file('a.jpg', 'same')]));
  expect(onAdd).toHaveBeenCalledOnce();
  vi.mocked(takeFile).mockImplementation(async (field, one) => ({
    ok: true,
    file: { key: one.name, field: field.name, name: one.name, type: one.type, blob: one },
  }));
  await act(() => taking.result.current.take([file('b.jpg'), file('c.jpg')]));
  expect(onAdd).toHaveBeenCalledTimes(3);
  expect(taking.result.current.notices).toEqual([]);
});

test('ignores a file that is ready after its field was removed', async () => {
  const bytes = Promise.withResolvers<Awaited<ReturnType<typeof takeFile>>>();
  vi.mocked(takeFile).mockReturnValue(bytes.promise);
  const onAdd = vi.fn<() => void>();
  const taking = renderHook(() => useTaking(named('images'), [], onAdd));
  act(() => void taking.result.current.take([file('a.jpg')]));
  expect(taking.result.current.busy).toBe(1);
  taking.unmount();
  bytes.resolve({ ok: true, file: photo('a.jpg') });
  await bytes.promise;
  await Promise.resolve();
  expect(onAdd).not.toHaveBeenCalled();
});

test('the zone says how many files are being read', async () => {
  vi.mocked(takeFile).mockReturnValue(new Promise(() => undefined));
  render(<ImagesInput {...inputProps(named('images'), [])} />);
  const input = document.getElementById('input') as HTMLInputElement;
  // a browser that hides HEIC photos from a picker would hide those of an iPhone
  expect(input.accept).toContain('image/heic');
  await userEvent.upload(input, [file('a.jpg')]);
  expect(screen.getByText('Reading the file…')).toBeDefined();
  await userEvent.upload(input, [file('b.jpg')]);
  expect(screen.getByText('Reading 2 files…')).toBeDefined();
});

test('closes the app’s camera for the device’s own, which can be used again', async () => {
  await ready();
  vi.stubGlobal('isSecureContext', true);
  const props = inputProps(named('images'), []);
  render(<ImagesInput {...props} />);
  await press('Take photos');
  await screen.findByText('The camera of the app');
  expect(viewed.camera?.many).toBe(true);
  const own = document.querySelector<HTMLInputElement>('input[capture]') as HTMLInputElement;
  const clicked = vi.spyOn(own, 'click').mockReturnValue();
  act(() => viewed.camera?.onOwnCamera());
  expect(clicked).toHaveBeenCalledOnce();
  expect(screen.queryByText('The camera of the app')).toBeNull();
  await userEvent.upload(own, file('shot.jpg'));
  await waitFor(() => expect(props.onAdd).toHaveBeenCalledOnce());
  expect(own.files).toHaveLength(0);
});

test('uses the device’s camera if the page may not use one', async () => {
  vi.stubGlobal('isSecureContext', false);
  render(<ImageInput {...inputProps(named('image'), [])} />);
  const own = document.querySelector<HTMLInputElement>('input[capture]') as HTMLInputElement;
  const clicked = vi.spyOn(own, 'click').mockReturnValue();
  await press('Take photo');
  expect(clicked).toHaveBeenCalledOnce();
  expect(screen.queryByText('The camera of the app')).toBeNull();
});

test('ignores pasted files once the field was removed', () => {
  const { unmount } = render(<ImagesInput {...inputProps(named('images'), [])} takesPaste />);
  unmount();
  const paste = Object.assign(new Event('paste', { cancelable: true }), { clipboardData: { files: [file('a.jpg')] } });
  expect(document.dispatchEvent(paste)).toBe(true);
});

/** Pastes a picture, and text beside it, into an element. Returns true if the browser is left to paste the text. */
function pasteCells(target: Element, types: readonly string[]): boolean {
  const clipboardData = { files: [file(`${types.length}.png`)], types };
  return target.dispatchEvent(
    Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData }),
  );
}

test('text copied from a spreadsheet is pasted into a text field as text, without the picture beside it', async () => {
  const props = inputProps(named('images'), []);
  render(
    <>
      <input aria-label="Brand" />
      <p>Beside</p>
      <ImagesInput {...props} takesPaste />
    </>,
  );
  const brand = screen.getByRole('textbox', { name: 'Brand' });
  expect(pasteCells(brand, ['text/plain', 'text/html', 'Files'])).toBe(true);
  expect(takeFile).not.toHaveBeenCalled();
  // A picture alone, and one pasted beside the text fields, is meant as a photo.
  expect(pasteCells(brand, ['Files'])).toBe(false);
  expect(pasteCells(screen.getByText('Beside'), ['text/plain', 'text/html', 'Files'])).toBe(false);
  await waitFor(() => expect(takeFile).toHaveBeenCalledTimes(2));
});
