import Drawer from '@mui/material/Drawer';
import { navColour } from '../../ui/tokens.ts';
import { Navigation } from './navigation.tsx';
import { t } from '../../language/t.ts';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** The navigation over the page, where there is no room beside it. */
export default function NavDrawer({ open, onClose }: Props) {
  return (
    <Drawer
      open={open}
      onClose={onClose}
      // also when the link leads to where one is
      onClick={({ target }) => target instanceof Element && target.closest('a') !== null && onClose()}
      slotProps={{ paper: { 'aria-label': t('Navigation'), sx: { border: 0, backgroundColor: navColour.ground } } }}
    >
      <Navigation />
    </Drawer>
  );
}
