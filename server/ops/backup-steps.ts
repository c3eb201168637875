import type { BackupProgress, BackupStep } from '../../src/domain/protocol/backups.ts';

/** Called at each step of a backup or a rehearsal, and for the progress of a step that can be counted. */
export type TellStep = (step: BackupStep, done?: number, total?: number) => void;

export const tellNobody: TellStep = () => undefined;

/** Milliseconds between two lines about the same step. */
const PACE = 200;

/** Prints each step as a line of JSON for the server that started this process. */
export function printSteps(print: (line: string) => void, now = performance.now.bind(performance)): TellStep {
  let last: { readonly step: BackupStep; readonly at: number } | undefined;
  return (step, done, total) => {
    if (last?.step === step && now() - last.at < PACE) return;
    last = { step, at: now() };
    const progress: BackupProgress = {
      step,
      ...(done === undefined ? {} : { done }),
      ...(total === undefined ? {} : { total }),
    };
    print(JSON.stringify(progress));
  };
}
