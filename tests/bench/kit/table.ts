import { type Figure, type Goal, isMet, ratioOf, type Unit } from './figure.ts';
import { median, spread } from './statistics.ts';

const HEADINGS = ['what', 'ours', 'against', 'ratio', 'goal', ''];

function number(value: number): string {
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The median, and the spread of the middle half of the runs around it. */
function sampleText(sample: readonly number[], unit: Unit): string {
  const width = sample.length > 1 ? ` ±${Math.round(spread(sample) * 100)} %` : '';
  return `${number(median(sample))} ${unit}${width}`;
}

function goalText(goal: Goal, unit: Unit): string {
  const sign = goal.is === 'at most' ? '≤' : '≥';
  return `${sign} ${goal.bound} ${goal.of === 'ratio' ? '×' : unit}`;
}

function cells(figure: Figure): string[] {
  const ratio = ratioOf(figure);
  const met = isMet(figure);
  return [
    figure.what,
    sampleText(figure.ours, figure.unit),
    figure.against ? `${figure.against.name} ${sampleText(figure.against.sample, figure.unit)}` : '',
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    figure.goal ? goalText(figure.goal, figure.unit) : '',
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ];
}

/** The figures as one Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = [HEADINGS, ...figures.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0), 3));
  const text = (line: string[]) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = '', ...rest] = lines.map(text);
  return [head, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest].join('\n');
}
