import { create } from 'zustand';

/** What can be opened over any screen. */
export type Panel = 'find' | 'help' | 'scan';

interface OpenPanel {
  readonly open: Panel | undefined;
  /** What is looked for at once: by `find`, or by the screen itself once it has been scanned and nothing is open. */
  readonly query: string;
}

export const usePanel = create<OpenPanel>()(() => ({ open: undefined, query: '' }));

/** Opens a panel over the screen, or closes it. */
export function openPanel(open: Panel | undefined, query = ''): void {
  usePanel.setState({ open, query });
}
