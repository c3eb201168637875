import { create } from 'zustand';

/** The panels that open over any screen. */
export type Panel = 'find' | 'help' | 'scan';

interface OpenPanel {
  readonly open: Panel | undefined;
  /** The initial query: of `find`, or of the screen itself after a scan, when no panel is open. */
  readonly query: string;
}

export const usePanel = create<OpenPanel>()(() => ({ open: undefined, query: '' }));

/** Opens a panel over the screen, or closes it. */
export function openPanel(open: Panel | undefined, query = ''): void {
  usePanel.setState({ open, query });
}
