import { create } from 'zustand';

/** What can be opened over any screen. */
export type Panel = 'find' | 'help';

export const usePanel = create<{ readonly open: Panel | undefined }>()(() => ({ open: undefined }));

/** Opens a panel over the screen, or closes it. */
export function openPanel(open: Panel | undefined): void {
  usePanel.setState({ open });
}
