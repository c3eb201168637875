import { locale } from '../../language/t.ts';

/** Comma-separated values, per RFC 4180 and as spreadsheets write them. */

/** Excel reads a file as UTF-8 only with this mark. */
const BYTE_ORDER_MARK = '\uFEFF';
const DELIMITERS = [',', ';', '\t'] as const;
/** A first line that names the delimiter for Excel, which shows no row for it. */
const TOLD_DELIMITER = /^sep=(.)(?:\r\n|\r|\n|$)/i;

/**
 * Decodes a CSV file. Excel writes UTF-8 only on request: its plain CSV has the encoding of Western Windows, and its Unicode text
 * is UTF-16 with a byte order mark.
 */
export function decodeCsv(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Formats rows as CSV with a byte order mark. Separates cells by a semicolon where numbers have a decimal comma, as spreadsheets
 * there do: Excel opens any other file as one single column. Prefixes text that a spreadsheet would run as a formula with an
 * apostrophe.
 */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  const delimiter = (0.5).toLocaleString(locale()).includes(',') ? ';' : ',';
  const lines = rows.map((cells) => cells.map(formatCell).join(delimiter));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

/** A row with its number in a spreadsheet, where a cell with line breaks takes one row. */
export interface NumberedRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/** Parses CSV into rows of cells. Detects comma, semicolon or tab from the first line. Skips empty lines. */
export function parseCsv(text: string): (readonly string[])[] {
  return numberedRows(text).map(({ cells }) => cells);
}

/** The same with the number of each row. */
export function numberedRows(text: string): NumberedRow[] {
  const marked = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const [told = '', delimiter = ''] = TOLD_DELIMITER.exec(marked) ?? [];
  const source = marked.slice(told.length);
  return splitRows(source, delimiter === '' ? delimiterOf(source) : delimiter)
    .map((cells, at) => ({ number: at + 1, cells: cells.map(withoutGuard) }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

/** Text that a spreadsheet runs as a formula, guarded or not. Japanese and Chinese ones also take full-width signs. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

function formatCell(text: string): string {
  const guarded = FORMULA.test(text) && !isNumber(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

function isNumber(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(text);
}

function delimiterOf(source: string): string {
  const heading = source.slice(0, source.search(/\r|\n|$/));
  const counts = DELIMITERS.map((delimiter) => heading.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function splitRows(source: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at < source.length) {
    const cell = source[at] === '"' ? quotedCell(source, at, delimiter) : plainCell(source, at, delimiter);
    cells.push(cell.text);
    at = cell.end;
    if (source[at] === delimiter) {
      at += 1;
      if (at === source.length) cells.push('');
      continue;
    }
    rows.push(cells);
    cells = [];
    at += source.startsWith('\r\n', at) ? 2 : 1;
  }
  if (cells.length > 0) rows.push(cells);
  return rows;
}

interface Cell {
  readonly text: string;
  /** Position of the delimiter, line end or end of text. */
  readonly end: number;
}

function plainCell(source: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < source.length && source[end] !== delimiter && source[end] !== '\r' && source[end] !== '\n') end += 1;
  return { text: source.slice(start, end), end };
}

/** Parses a quoted cell, in which a doubled quote is one quote. */
function quotedCell(source: string, start: number, delimiter: string): Cell {
  let text = '';
  let at = start + 1;
  for (;;) {
    const mark = source.indexOf('"', at);
    if (mark === -1) return { text: text + source.slice(at), end: source.length };
    text += source.slice(at, mark);
    at = mark + 1;
    if (source[at] !== '"') {
      const rest = plainCell(source, at, delimiter);
      return { text: text + rest.text, end: rest.end };
    }
    text += '"';
    at += 1;
  }
}
