import { readFile } from 'node:fs/promises';

/** The rows of a comma-separated file beside this one, by the names in its first line. No cell is quoted. */
export async function readCsv(name: string): Promise<Record<string, string>[]> {
  const text = await readFile(new URL(name, import.meta.url), 'utf8');
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const columns = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index]?.trim() ?? '']));
  });
}
