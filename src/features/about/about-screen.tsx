import { styled } from '@mui/material/styles';
import { Link } from '../../ui/link.tsx';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useMay } from '../../stores/session.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { t } from '../../language/t.ts';

/** What the app is, in a few sentences. */
export default function AboutScreen() {
  const own = useServerAbilities(({ people }) => people);
  const mayManage = useMay('owner') && own;
  return (
    <>
      <PageHeader title={t('About')} />
      <Text>
        <p>{t('Voltdesk manages the catalogue and content of a power-equipment company’s website.')}</p>
        <p>
          {t(
            'It works offline. Everything you save is stored on this device first, then sent once, when the server can be reached. The Outbox shows what is waiting and why.',
          )}
        </p>
        <p>
          <Link to="/self-check">{t('Check this device')}</Link>
        </p>
        {mayManage && (
          <p>
            <Link to="/health">{t('Server health')}</Link>
          </p>
        )}
      </Text>
    </>
  );
}

const Text = styled(Surface)({ maxWidth: 640, '& p': { margin: 0 }, '& p + p': { marginTop: 12 } });
