import CameraIcon from '@mui/icons-material/AddAPhotoOutlined';
import LastIcon from '@mui/icons-material/HistoryOutlined';
import ScanIcon from '@mui/icons-material/QrCodeScannerOutlined';
import FindIcon from '@mui/icons-material/SearchOutlined';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useNavigate } from 'react-router-dom';
import { drafts } from '../../api/drafts.ts';
import { useReceipts } from '../../api/live.ts';
import { IMAGE_TYPES } from '../../domain/fields.ts';
import { SHARE_PATH } from '../../domain/share.ts';
import { emptied } from '../../fields/photos/emptied.ts';
import { told } from '../../resource/told.ts';
import { useMay } from '../../stores/session.ts';
import { openPanel } from '../../stores/panels.ts';
import { colour } from '../../ui/tokens.ts';
import { workedOn } from '../outbox/entry-links.ts';
import { Link } from '../../ui/link.tsx';
import { t } from '../../language/t.ts';

/** The most common tasks: start with a photo, return to the last record, find or scan one. */
export function QuickActions() {
  const [last] = workedOn(useReceipts() ?? []);
  const mayEdit = useMay('editor');
  return (
    <Row aria-label={t('Quick actions')}>
      {mayEdit && <NewWithPhoto />}
      {last !== undefined && (
        <Button
          component={Link}
          to={last.link}
          variant="outlined"
          color="inherit"
          startIcon={<LastIcon />}
          title={last.entry.title}
        >
          <Cut>{t('Last edited: {title}', { title: last.entry.title })}</Cut>
        </Button>
      )}
      <Button variant="outlined" color="inherit" startIcon={<FindIcon />} onClick={() => openPanel('find')}>
        {t('Find a record')}
      </Button>
      <Button variant="outlined" color="inherit" startIcon={<ScanIcon />} onClick={() => openPanel('scan')}>
        {t('Scan a code')}
      </Button>
    </Row>
  );
}

/** Takes photos first. The share screen then asks what they are for, as with photos shared by another app. */
function NewWithPhoto() {
  const navigate = useNavigate();
  const take = async (photos: readonly File[]) => {
    if (photos.length === 0) return;
    const kept = await told(
      drafts.share(photos).then(() => true),
      t('The photos couldn’t be stored.'),
    );
    if (kept === true) void navigate(SHARE_PATH);
  };
  return (
    <Picker>
      <input
        type="file"
        multiple
        accept={IMAGE_TYPES.join()}
        aria-label={t('New with photo')}
        onChange={(event) => void take(emptied(event.target))}
      />
      <CameraIcon aria-hidden="true" />
      <span aria-hidden="true">{t('New with photo')}</span>
    </Picker>
  );
}

const Row = styled('section')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(1.5),
  marginTop: theme.spacing(2),
  '& > *': { minHeight: 48, maxWidth: '100%', backgroundColor: colour.surface },
  [theme.breakpoints.down('sm')]: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(92px, 1fr))',
    gap: 8,
    // Three in a row, each with its icon above its label, sized for a thumb.
    '& > :not(a)': {
      flexDirection: 'column',
      gap: 4,
      padding: '10px 4px',
      fontSize: '0.875rem',
      lineHeight: 1.25,
      textAlign: 'center',
      hyphens: 'auto',
      overflowWrap: 'anywhere',
    },
    '& > button > span': { margin: 0 },
    // Next to another button there is room for "Last edited" only.
    '& > a': { order: 1, gridColumn: '1 / -1' },
  },
}));

const Cut = styled('span')({ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', maxWidth: 260 });

// Looks like the buttons next to it. The real file input is what is pressed: it offers camera or gallery.
const Picker = styled('span')(({ theme }) => ({
  ...theme.typography.button,
  fontSize: '0.9375rem',
  fontWeight: 600,
  position: 'relative',
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 8,
  boxSizing: 'border-box',
  padding: '5px 15px',
  border: `1px solid ${colour.line}`,
  borderRadius: 10,
  '& input': { position: 'absolute', inset: 0, width: '100%', opacity: 0, cursor: 'pointer' },
  '& svg': { fontSize: 20, color: colour.brand },
  '&:focus-within': { outline: `2px solid ${colour.brand}`, outlineOffset: 2 },
}));
