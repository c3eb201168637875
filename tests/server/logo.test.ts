import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { logoAddress, logoProblem, logoType, missingLogo } from '../../server/logo.ts';
import { freshFolder } from './harness.ts';

test.each(['/icons/icon.svg', '/uploads/brand.png'])('%s is an address of this site, and is shown as it is', (path) => {
  expect([logoProblem(path), logoAddress(path)]).toEqual([undefined, path]);
});

test('a file elsewhere is served under an address of its own, by its kind', async () => {
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

test('an address without a file is told: those of uploads in the data folder, those of icons in the app', async () => {
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
