import AddIcon from '@mui/icons-material/Add';
import MoreIcon from '@mui/icons-material/MoreHoriz';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type Resource, routesOf } from '../../domain/resource.ts';

export interface ListAction {
  readonly label: string;
  readonly run: () => void;
}

/** What a list can do beside its rows: add a record, and the rarer things in a menu. */
export function ListMenu({ resource, actions }: { resource: Resource; actions: readonly ListAction[] }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const open = anchor !== null;
  return (
    <>
      <Button
        color="inherit"
        variant="outlined"
        aria-haspopup="menu"
        aria-expanded={open}
        startIcon={<MoreIcon />}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        More
      </Button>
      <Button variant="contained" startIcon={<AddIcon />} component={Link} to={routesOf(resource).create}>
        Create New
      </Button>
      <Menu anchorEl={anchor} open={open} onClose={() => setAnchor(null)}>
        {actions.map(({ label, run }) => (
          <MenuItem
            key={label}
            onClick={() => {
              setAnchor(null);
              run();
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
