import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'uqr';
import { chromiumArgs, findChromium } from './chromium.ts';

/** Launch options for Chromium with a fake camera: its own moving picture, or a film (the path of a Y4M). */
export function launchWithCamera(film?: string) {
  const executablePath = findChromium();
  const camera = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];
  const shown = film === undefined ? [] : [`--use-file-for-fake-video-capture=${film}`];
  return { args: [...chromiumArgs, ...camera, ...shown], ...(executablePath && { executablePath }) };
}

const WIDTH = 640;
const HEIGHT = 480;
/** Pixels per module of the code. */
const DOT = 10;

/**
 * Makes a still film of a label with this code and returns its path. Y4M, four pixels to a colour
 * (https://wiki.multimedia.cx/index.php/YUV4MPEG2).
 */
export function filmOfCode(text: string): string {
  const { size, data } = encode(text, { border: 4 });
  const light = Buffer.alloc(WIDTH * HEIGHT, 235);
  const [left, top] = [(WIDTH - size * DOT) / 2, (HEIGHT - size * DOT) / 2];
  data.forEach((row, y) =>
    row.forEach((dark, x) => {
      if (!dark) return;
      for (let line = 0; line < DOT; line += 1) {
        const start = Math.floor(top + y * DOT + line) * WIDTH + Math.floor(left + x * DOT);
        light.fill(16, start, start + DOT);
      }
    }),
  );
  const colour = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, colour]);
  const path = join(mkdtempSync(join(tmpdir(), 'voltdesk-film-')), 'label.y4m');
  writeFileSync(
    path,
    Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420\n`), frame, frame]),
  );
  return path;
}
