import { readFile } from 'node:fs/promises';

/** Reads a comma-separated file in this folder. Rows are keyed by the names in its first line. Cells are not quoted. */
export async function readCsv(name: string): Promise<Record<string, string>[]> {
  const text = await readFile(new URL(name, import.meta.url), 'utf8');
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const columns = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index]?.trim() ?? '']));
  });
}
