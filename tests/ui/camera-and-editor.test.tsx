import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FormFile } from '../../src/fields/form-file.ts';
import CameraDialog from '../../src/fields/photos/camera/camera-dialog.tsx';
import { shotOf } from '../../src/fields/photos/camera/shot.ts';
import { drawEdited } from '../../src/fields/photos/editor/draw.ts';
import { exported } from '../../src/fields/photos/editor/export.ts';
import PhotoEditor from '../../src/fields/photos/editor/photo-editor.tsx';
import { ConfirmHost } from '../../src/ui/confirm.tsx';

/** The camera and the photo editor, with fakes for the parts of the device. */

vi.mock('../../src/fields/photos/camera/shot.ts', () => ({ shotOf: vi.fn() }));
vi.mock('../../src/fields/photos/editor/draw.ts', () => ({ drawEdited: vi.fn(), drawArrow: vi.fn() }));
vi.mock('../../src/fields/photos/editor/export.ts', () => ({ exported: vi.fn() }));

const stopped = vi.fn<() => void>();
const asked = vi.fn<(wanted: MediaStreamConstraints) => Promise<object>>();
const stream = { getTracks: () => [{ stop: stopped }, { stop: stopped }] };
const taken = vi.fn<(shots: readonly File[]) => Promise<void>>(async () => undefined);
const closed = vi.fn<() => void>();
const own = vi.fn<() => void>();
const bitmapClosed = vi.fn<() => void>();

beforeEach(() => {
  URL.createObjectURL = () => 'blob:shot';
  URL.revokeObjectURL = () => undefined;
  asked.mockResolvedValue(stream);
  Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: asked }, configurable: true });
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  let number = 0;
  vi.mocked(shotOf).mockImplementation(async () => {
    number += 1;
    return new File(['shot'], `${number}.jpg`, { type: 'image/jpeg' });
  });
  vi.stubGlobal('createImageBitmap', async () => ({ width: 400, height: 300, close: bitmapClosed }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const camera = (many: boolean) =>
  render(<CameraDialog many={many} onTaken={taken} onOwnCamera={own} onClose={closed} />);
const shutter = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Take photo' });
const ready = () => waitFor(() => expect(shutter().disabled).toBe(false));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('photos can be taken once the camera is on, and are counted until Done', async () => {
  camera(true);
  expect(shutter().disabled).toBe(true);
  expect(screen.getByText('Starting the camera…')).toBeDefined();
  await ready();
  expect(asked.mock.lastCall?.[0]).toMatchObject({ video: { facingMode: 'environment' } });
  expect(screen.queryByText(/taken/)).toBeNull();
  await userEvent.click(shutter());
  expect(await screen.findByText('1 photo taken')).toBeDefined();
  await userEvent.click(shutter());
  expect(await screen.findByText('2 photos taken')).toBeDefined();
  expect(taken.mock.calls.map(([[shot]]) => shot?.name)).toEqual(['1.jpg', '2.jpg']);
  expect(closed).not.toHaveBeenCalled();
  await press('Done');
  expect(closed).toHaveBeenCalledOnce();
});

test('the camera closes after the first shot if only one picture is wanted', async () => {
  camera(false);
  await ready();
  expect(screen.queryByRole('button', { name: 'Done' })).toBeNull();
  await userEvent.click(shutter());
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  expect(taken).toHaveBeenCalledOnce();
});

test('Escape closes the camera and the editor without a photo', async () => {
  camera(true);
  await ready();
  await userEvent.keyboard('{Escape}');
  expect(closed).toHaveBeenCalledTimes(1);
  cleanup();
  edit(photo('a.jpg'));
  await editable();
  await userEvent.keyboard('{Escape}');
  expect(closed).toHaveBeenCalledTimes(2);
  expect([taken.mock.calls, done.mock.calls]).toEqual([[], []]);
});

test('Close ends the camera without a shot; the device’s own camera is another button', async () => {
  camera(true);
  await press('Close');
  expect([closed.mock.calls.length, own.mock.calls.length]).toEqual([1, 0]);
  await press('Device camera');
  expect([closed.mock.calls.length, own.mock.calls.length]).toEqual([1, 1]);
  expect(taken).not.toHaveBeenCalled();
});

test('reports a failed shot without counting it, and counts the next good one', async () => {
  vi.mocked(shotOf).mockRejectedValueOnce(new Error('Black.'));
  camera(true);
  await ready();
  await userEvent.click(shutter());
  expect(await screen.findByText('The photo couldn’t be taken. Try again.')).toBeDefined();
  expect(taken).not.toHaveBeenCalled();
  await userEvent.click(shutter());
  expect(await screen.findByText('1 photo taken')).toBeDefined();
});

test('reports a camera that cannot be used, and still offers the device’s own', async () => {
  asked.mockRejectedValue(new DOMException('Denied.', 'NotAllowedError'));
  camera(true);
  expect(await screen.findByText('The camera can’t be used here.')).toBeDefined();
  expect(shutter().disabled).toBe(true);
  await press('Device camera');
  expect(own).toHaveBeenCalledOnce();
});

test('enables the shutter once the camera’s picture plays, and reports when it cannot play', async () => {
  const shown = Promise.withResolvers<void>();
  vi.mocked(HTMLMediaElement.prototype.play).mockReturnValue(shown.promise);
  camera(true);
  await waitFor(() => expect(HTMLMediaElement.prototype.play).toHaveBeenCalledOnce());
  await act(async () => {});
  expect([shutter().disabled, screen.queryByText('Starting the camera…')?.tagName]).toEqual([true, 'OUTPUT']);
  await act(async () => shown.reject(new DOMException('Stopped.', 'AbortError')));
  expect(screen.getByText('The camera can’t be used here.').tagName).toBe('OUTPUT');
  expect(shutter().disabled).toBe(true);
});

test('releases the camera at the end, even one that starts late', async () => {
  const { unmount } = camera(true);
  await ready();
  unmount();
  expect(stopped).toHaveBeenCalledTimes(2);
  const late = Promise.withResolvers<object>();
  asked.mockReturnValue(late.promise);
  camera(true).unmount();
  expect(stopped).toHaveBeenCalledTimes(2);
  await act(async () => late.resolve(stream));
  expect(stopped).toHaveBeenCalledTimes(4);
});

const done = vi.fn<(edited: FormFile) => void>();
const photo = (name: string, more: Partial<FormFile> = {}): FormFile => {
  const type = name.endsWith('.png') ? 'image/png' : 'image/jpeg';
  return { key: name, field: 'images', name, type, blob: new File(['12345'], name, { type }), ...more };
};
const edit = (file: FormFile) =>
  render(
    <>
      <PhotoEditor file={file} onDone={done} onClose={closed} />
      <ConfirmHost />
    </>,
  );
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const editable = () => waitFor(() => expect(button('Rotate').disabled).toBe(false));
const editsNow = () => vi.mocked(drawEdited).mock.lastCall?.[1].map(({ kind }) => kind);

test('a photo can be edited once it is loaded, and Undo reverts only the last edit', async () => {
  edit(photo('a.jpg'));
  expect([button('Rotate').disabled, button('Crop').disabled]).toEqual([true, true]);
  await editable();
  expect([button('Undo').disabled, button('Use photo').disabled]).toEqual([true, true]);
  await press('Rotate');
  await press('Rotate');
  expect([button('Undo').disabled, button('Use photo').disabled]).toEqual([false, false]);
  expect(editsNow()).toEqual(['turn', 'turn']);
  await press('Undo');
  expect(editsNow()).toEqual(['turn']);
  await press('Undo');
  expect(button('Use photo').disabled).toBe(true);
});

test('a tool explains itself, is selected by a press and deselected by another', async () => {
  edit(photo('a.jpg'));
  await editable();
  await press('Blur');
  expect(screen.getByText('Draw a frame over a face or number plate.')).toBeDefined();
  expect([button('Blur').ariaPressed, button('Crop').ariaPressed]).toEqual(['true', 'false']);
  await press('Crop');
  expect(screen.getByText('Draw a frame around the part to keep.')).toBeDefined();
  await press('Crop');
  expect(button('Crop').ariaPressed).toBe('false');
  expect(screen.queryByText(/^Draw/)).toBeNull();
});

test('by keyboard, a frame starts in the middle, is moved by arrow keys and applied by Enter', async () => {
  edit(photo('a.jpg'));
  await editable();
  const stage = button('Photo: arrow keys move the frame, Shift with arrow keys resizes it, Enter applies it');
  expect(stage.disabled).toBe(true);
  await press('Crop');
  const frame = () => button('Photo: arrow keys move the frame, Shift with arrow keys resizes it, Enter applies it');
  expect(frame().disabled).toBe(false);
  const canvas = frame().querySelector('canvas') as HTMLCanvasElement;
  [canvas.width, canvas.height] = [400, 300];
  act(() => frame().focus());
  await userEvent.keyboard('{ArrowRight}{Enter}');
  expect(vi.mocked(drawEdited).mock.lastCall?.[1]).toEqual([
    { kind: 'crop', box: { x: 128, y: 105, width: 160, height: 90 } },
  ]);
  await press('Rotate');
  await press('Undo');
  expect(editsNow()).toEqual(['crop']);
});

test('another tool starts with a new frame', async () => {
  edit(photo('a.jpg'));
  await editable();
  const frame = () => button('Photo: arrow keys move the frame, Shift with arrow keys resizes it, Enter applies it');
  await press('Crop');
  Object.assign(frame().querySelector('canvas') as HTMLCanvasElement, { width: 400, height: 300 });
  act(() => frame().focus());
  await userEvent.keyboard('{ArrowRight}{ArrowDown}');
  await press('Blur');
  Object.assign(frame().querySelector('canvas') as HTMLCanvasElement, { width: 400, height: 300 });
  act(() => frame().focus());
  await userEvent.keyboard('{Enter}');
  expect(vi.mocked(drawEdited).mock.lastCall?.[1]).toEqual([
    { kind: 'blur', box: { x: 120, y: 105, width: 160, height: 90 } },
  ]);
});

test.each([
  ['roof.v2.png', 'image/png', 'roof.v2.png'],
  ['roof.webp', 'image/jpeg', 'roof.jpg'],
])('an edited photo keeps its field and its name, with the extension of its type (%s)', async (name, type, called) => {
  vi.mocked(exported).mockResolvedValue(new Blob(['123'], { type }));
  edit(photo(name));
  await editable();
  await press('Rotate');
  await press('Use photo');
  await waitFor(() => expect(done).toHaveBeenCalledOnce());
  expect(done.mock.lastCall?.[0]).toMatchObject({ field: 'images', name: called, type, originalSize: 5 });
  expect(done.mock.lastCall?.[0].key).not.toBe(name);
});

test('an edited photo reports the size it was picked with, not its reduced one', async () => {
  vi.mocked(exported).mockResolvedValue(new Blob(['123'], { type: 'image/jpeg' }));
  edit(photo('a.jpg', { originalSize: 9000 }));
  await editable();
  await press('Rotate');
  await press('Use photo');
  await waitFor(() => expect(done.mock.lastCall?.[0].originalSize).toBe(9000));
});

test('uses a photo only once, and none after an edit was discarded, even while it is being saved', async () => {
  const saved = Promise.withResolvers<Blob>();
  vi.mocked(exported).mockReturnValue(saved.promise);
  closed.mockImplementationOnce(() => opened.unmount());
  const opened = edit(photo('a.jpg'));
  await editable();
  await press('Rotate');
  await press('Use photo');
  expect(button('Saving…').disabled).toBe(true);
  await press('Cancel');
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  saved.resolve(new Blob(['123'], { type: 'image/jpeg' }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(done).not.toHaveBeenCalled();
});

test('releases a photo’s pixels when the editor closes, and reports a photo that cannot be read', async () => {
  const { unmount } = edit(photo('a.jpg'));
  await editable();
  unmount();
  expect(bitmapClosed).toHaveBeenCalledOnce();
  vi.stubGlobal('createImageBitmap', async () => {
    throw new DOMException('Damaged.');
  });
  edit(photo('b.jpg'));
  expect(await screen.findByText('This photo can’t be edited here.')).toBeDefined();
  expect(button('Rotate').disabled).toBe(true);
});

test('a photo that cannot be saved is reported, and saving can be tried again with the same edits', async () => {
  vi.mocked(exported).mockRejectedValueOnce(new DOMException('Out of memory.', 'EncodingError'));
  vi.mocked(exported).mockResolvedValueOnce(new Blob(['123'], { type: 'image/jpeg' }));
  edit(photo('a.jpg'));
  await editable();
  await press('Rotate');
  await press('Use photo');
  expect(await screen.findByText('This photo can’t be edited here.')).toBeDefined();
  await waitFor(() => expect(button('Use photo').disabled).toBe(false));
  expect(done).not.toHaveBeenCalled();
  await press('Use photo');
  await waitFor(() => expect(done).toHaveBeenCalledOnce());
  expect(vi.mocked(exported).mock.lastCall?.[1]).toEqual([{ kind: 'turn' }]);
  expect(screen.queryByText('This photo can’t be edited here.')).toBeNull();
});

test('the pixels of a photo that opens after its editor closed are released', async () => {
  const late = Promise.withResolvers<object>();
  vi.stubGlobal('createImageBitmap', () => late.promise);
  edit(photo('a.jpg')).unmount();
  await act(async () => late.resolve({ width: 400, height: 300, close: bitmapClosed }));
  expect(bitmapClosed).toHaveBeenCalledOnce();
});
