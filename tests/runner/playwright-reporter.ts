import type { FullConfig, Reporter, Suite, TestCase, TestError, TestStep } from '@playwright/test/reporter';
import { firstLine, writeCount } from './count.ts';

/**
 * Counts tests for `npm test`. A test counts as failed if it was not run, is expected to fail, passed only on a retry, or
 * asserts nothing. (`only` fails through `--forbid-only`.)
 */
export default class CountingReporter implements Reporter {
  #suite: Suite | undefined;
  readonly #errors: string[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  onError({ message, location }: TestError): void {
    this.#errors.push(`${location?.file ?? 'outside of any test'}: ${firstLine(message)}`);
  }

  onEnd(): void {
    const tests = this.#suite?.allTests() ?? [];
    const complaints = tests.map(complaintOf);
    const failed = complaints.filter((complaint) => complaint !== undefined);
    writeCount({ passed: tests.length - failed.length, failed: [...failed, ...this.#errors] });
  }

  printsToStdio(): boolean {
    return false;
  }
}

/** What is wrong with a test. Undefined if it ran, passed at once and asserted something. */
function complaintOf(test: TestCase): string | undefined {
  const place = test.titlePath().filter(Boolean).join(' › ');
  const [result, ...again] = test.results;
  if (!result || result.status === 'skipped') return `${place}: was not run`;
  if (test.expectedStatus !== 'passed') return `${place}: is expected to fail`;
  if (result.status !== 'passed' || again.length > 0) return `${place}: ${firstLine(result.error?.message)}`;
  return result.steps.some(asserts) ? undefined : `${place}: asserts nothing`;
}

/** True if a step of the test itself, not of its hooks, asserts something. */
function asserts({ category, steps }: TestStep): boolean {
  return category === 'expect' || (category !== 'hook' && category !== 'fixture' && steps.some(asserts));
}
