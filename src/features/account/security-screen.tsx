import PasswordIcon from '@mui/icons-material/PasswordOutlined';
import PaperIcon from '@mui/icons-material/ReceiptLongOutlined';
import PhoneIcon from '@mui/icons-material/PhonelinkLockOutlined';
import { styled } from '@mui/material/styles';
import { passkeysWork, readSecurity, removeAuthenticator } from '../../api/second-factor.ts';
import { RECOVERY_CODES, type SecondFactors } from '../../domain/protocol/second-factor.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { formatMoment } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Chip, Explained, Line, Lines, LoadState, SheetHeading } from './account-parts.tsx';
import { FactorChoice } from './factor-choice.tsx';
import { PasskeyLine } from './passkey-line.tsx';
import { useServerData } from './use-server-data.ts';
import { type FactorSetUp, useFactorSetUp } from './use-factor-set-up.tsx';
import { msg, say, t } from '../../language/t.ts';

/** The user's password, second factors and recovery codes. */
export default function SecurityScreen() {
  const data = useServerData(readSecurity);
  const setUp = useFactorSetUp(data.reload);
  return (
    <>
      <PageHeader title={t('Security')} subtitle={t('How you confirm it’s you')} />
      <LoadState data={data} />
      {data.value && <Factors factors={data.value} setUp={setUp} />}
      {setUp.dialogs}
    </>
  );
}

function Factors({ factors, setUp }: { factors: SecondFactors; setUp: FactorSetUp }) {
  const isSetUp = factors.passkeys.length > 0 || factors.authenticatorSince !== undefined;
  return (
    <>
      <Surface aria-label={t('Password')}>
        <Lines>
          <Line mark={<PasswordIcon />} title={t('Password')} note={t('Asked for at every sign-in without a passkey')}>
            <ButtonLink variant="outlined" color="inherit" to="/pass-change">
              {t('Change')}
            </ButtonLink>
          </Line>
        </Lines>
      </Surface>
      <SheetHeading>{t('Second factor')}</SheetHeading>
      {isSetUp ? <SetUp factors={factors} setUp={setUp} /> : <NotSetUp factors={factors} setUp={setUp} />}
    </>
  );
}

function NotSetUp({ factors, setUp }: { factors: SecondFactors; setUp: FactorSetUp }) {
  return (
    <Surface aria-label={t('Second factor')}>
      <Lead>
        {t(
          'Only your password protects your account. With a second factor, a stolen password isn’t enough to sign in.',
        )}
        {factors.required && ` ${t('It is required here.')}`}
      </Lead>
      <FactorChoice setUp={setUp} />
    </Surface>
  );
}

function SetUp({ factors, setUp }: { factors: SecondFactors; setUp: FactorSetUp }) {
  return (
    <>
      <Explained>
        {t('You’re asked for one of these after your password. A passkey is enough by itself.')}
        {factors.required && ` ${t('You need at least one: a second factor is required here.')}`}
      </Explained>
      <Surface aria-label={t('Second factor')}>
        <Lines>
          {factors.passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} setUp={setUp} />
          ))}
          <AppLine since={factors.authenticatorSince} setUp={setUp} />
          <CodesLine left={factors.codesLeft} setUp={setUp} />
        </Lines>
        {passkeysWork() && (
          <Foot>
            <Button variant="contained" onClick={setUp.passkey}>
              {t('Add a passkey')}
            </Button>
          </Foot>
        )}
      </Surface>
    </>
  );
}

function AppLine({ since, setUp }: { since: string | undefined; setUp: FactorSetUp }) {
  const remove = async () => {
    const text = t('Its codes will stop working.');
    const question = { title: t('Remove the authenticator app?'), text, confirmLabel: t('Remove'), destructive: true };
    if (await confirm(question)) setUp.change(removeAuthenticator);
  };
  return (
    <Line mark={<PhoneIcon />} title={t('Authenticator app')} note={noteOnApp(since)}>
      <Button
        variant="outlined"
        color="inherit"
        aria-label={say(since === undefined ? APP_VERBS[0] : APP_VERBS[1])}
        onClick={setUp.app}
      >
        {since === undefined ? t('Set up') : t('Replace')}
      </Button>
      {since !== undefined && (
        <Button
          variant="outlined"
          color="inherit"
          aria-label={t('Remove the authenticator app')}
          onClick={() => void remove()}
        >
          {t('Remove')}
        </Button>
      )}
    </Line>
  );
}

function noteOnApp(since: string | undefined): string {
  return since === undefined
    ? t('Not set up')
    : t('Set up {time}', { time: formatMoment(Date.parse(since), Date.now()) });
}

const APP_VERBS = [msg('Set up the authenticator app'), msg('Replace the authenticator app')] as const;

/** With this many codes or fewer, new ones are suggested. */
const FEW = 3;

function CodesLine({ left, setUp }: { left: number; setUp: FactorSetUp }) {
  const renew = async () => {
    const text = t('Your old recovery codes will stop working.');
    if (await confirm({ title: t('Create new recovery codes?'), text, confirmLabel: t('Create new ones') }))
      setUp.codes();
  };
  const title = (
    <>
      {t('Recovery codes')}
      {left <= FEW && <Chip>{t('Create new ones soon')}</Chip>}
    </>
  );
  const note = t('{left, plural, one {# code} other {# codes}} of {total} left, in case you lose everything else', {
    left,
    total: RECOVERY_CODES,
  });
  return (
    <Line mark={<PaperIcon />} title={title} note={note}>
      <Button
        variant="outlined"
        color="inherit"
        aria-label={t('Create new recovery codes')}
        onClick={() => void renew()}
      >
        {t('Create new')}
      </Button>
    </Line>
  );
}

const Lead = styled('p')(({ theme }) => ({
  ...theme.typography.body1,
  maxWidth: '62ch',
  margin: theme.spacing(0, 0, 2.5),
}));

const Foot = styled('div')(({ theme }) => ({ marginTop: theme.spacing(3) }));
