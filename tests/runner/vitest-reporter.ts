import { globSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node';
import { firstLine, writeCount } from './count.ts';
import { FILES_OF, QUICK } from './projects.ts';

/**
 * Counts tests for `npm test`. Whatever was not run counts as failed, for any reason: skip, todo, a test expected to fail,
 * a file that belongs to no project, a project without tests. (`only` and tests without an assertion fail through
 * `vitest.config.ts`.)
 */
export default class CountingReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const unrun = this.#vitest ? [...unrunProjects(this.#vitest, tests), ...unrunFiles(this.#vitest, modules)] : [];
    const failed = [
      ...modules.flatMap(brokenModule),
      ...tests.flatMap((test) => complaintOf(test) ?? []),
      ...errors.map(({ message }) => `outside of any test: ${firstLine(message)}`),
      ...unrun,
    ];
    writeCount({ passed: tests.filter((test) => complaintOf(test) === undefined).length, failed });
  }
}

/** What is wrong with a test. Undefined if it ran and passed. */
function complaintOf(test: TestCase): string | undefined {
  const place = `${test.module.relativeModuleId} › ${test.fullName}`;
  const { state, errors = [] } = test.result();
  if (test.options.fails) return `${place}: is expected to fail`;
  if (test.options.retry) return `${place}: is tried more than once`;
  if (state === 'passed') return undefined;
  if (state === 'failed') return `${place}: ${firstLine(errors[0]?.message)}`;
  return `${place}: was not run`;
}

/** Reports a file that failed to load or contains no test. */
function brokenModule(module: TestModule): string[] {
  const errors = module.errors().map(({ message }) => `${module.relativeModuleId}: ${firstLine(message)}`);
  const isEmpty = errors.length === 0 && [...module.children.allTests()].length === 0;
  return isEmpty ? [`${module.relativeModuleId}: holds no test`] : errors;
}

/** A project of the long tier may be empty. */
function unrunProjects({ projects }: Vitest, tests: readonly TestCase[]): string[] {
  const names = projects.map(({ name }) => name).filter((name) => name in QUICK);
  const empty = names.filter((name) => !tests.some(({ project }) => project.name === name));
  return empty.map((name) => `the project ${name}: holds no test`);
}

/** Reports files of this run's projects that it left out, and those that no run would take. */
function unrunFiles({ config: { root }, projects }: Vitest, modules: readonly TestModule[]): string[] {
  const filesOf = (patterns: string | readonly string[]) => globSync(patterns, { cwd: root });
  const run = new Set(modules.map(({ moduleId }) => relative(root, moduleId)));
  const asked = Object.entries(FILES_OF).filter(([name]) => projects.some((project) => project.name === name));
  const leftOut = asked.flatMap(([, pattern]) => filesOf(pattern)).filter((file) => !run.has(file));
  const known = new Set(filesOf(Object.values(FILES_OF)));
  const strays = filesOf('tests/**/*.test.{ts,tsx}').filter((file) => !known.has(file));
  return [
    ...leftOut.map((file) => `${file}: was not run`),
    ...strays.map((file) => `${file}: belongs to no project`),
  ].toSorted();
}
