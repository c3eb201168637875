import Drawer from '@mui/material/Drawer';
import { navColour } from '../../ui/tokens.ts';
import { Navigation } from './navigation.tsx';
import { t } from '../../language/t.ts';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** The navigation as a drawer, for screens without space for a sidebar. */
export default function NavDrawer({ open, onClose }: Props) {
  return (
    <Drawer
      open={open}
      onClose={onClose}
      // also for a link to the current page
      onClick={({ target }) => target instanceof Element && target.closest('a') !== null && onClose()}
      slotProps={{ paper: { 'aria-label': t('Navigation'), sx: { border: 0, backgroundColor: navColour.ground } } }}
    >
      <Navigation />
    </Drawer>
  );
}
