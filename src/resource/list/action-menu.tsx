import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';

export interface ListAction {
  readonly label: string;
  readonly run: () => void;
}

interface ActionMenuProps {
  readonly actions: readonly ListAction[];
  /** The button it opens at; null while it is closed. */
  readonly anchor: HTMLElement | null;
  readonly onClose: () => void;
}

/** The rarer things that a list can do. */
export default function ActionMenu({ actions, anchor, onClose }: ActionMenuProps) {
  return (
    <Menu disablePortal anchorEl={anchor} open={anchor !== null} onClose={onClose}>
      {actions.map(({ label, run }) => (
        <MenuItem
          key={label}
          onClick={() => {
            onClose();
            run();
          }}
        >
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
