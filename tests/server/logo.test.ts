import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { logoAddress, logoProblem, logoType, missingLogo } from '../../server/settings/logo.ts';
import { freshFolder } from './harness.ts';

test.each(['/icons/icon.svg', '/uploads/brand.png'])('serves %s, an address of this site, as it is', (path) => {
  expect([logoProblem(path), logoAddress(path)]).toEqual([undefined, path]);
});

test('serves an external file under its own address, by its type', async () => {
  const path = join(await freshFolder(), 'Brand.SVG');
  expect(logoProblem(path)).toBe(`there is no file "${path}".`);
  await writeFile(path, '<svg/>');
  expect([logoProblem(path), logoAddress(path), logoType(path)]).toEqual([
    undefined,
    '/uploads/logo.svg',
    'image/svg+xml',
  ]);
  const folder = join(await freshFolder(), 'brand.png');
  await mkdir(folder);
  expect(logoProblem(folder)).toBe(`there is no file "${folder}".`);
  expect(logoProblem('brand.gif')).toBe('"brand.gif" is no .svg, .png, .jpg, .jpeg, .webp file.');
  expect(logoAddress('')).toBe('');
});

test('reports a missing file: uploads in the data folder, icons in the app', async () => {
  const [dataDir, appDir] = [await freshFolder(), await freshFolder()];
  const [upload, icon] = ['/uploads/brand.png', '/icons/icon.svg'];
  expect(missingLogo(upload, dataDir, appDir)).toBe(join(dataDir, upload));
  expect(missingLogo(icon, dataDir, appDir)).toBe(join(appDir, icon));
  await mkdir(join(appDir, 'icons'));
  await writeFile(join(appDir, icon), '<svg/>');
  expect([missingLogo(icon, dataDir, appDir), missingLogo('/mnt/logo.png', dataDir, appDir)]).toEqual([
    undefined,
    undefined,
  ]);
});
