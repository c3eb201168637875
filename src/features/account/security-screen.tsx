import PasswordIcon from '@mui/icons-material/PasswordOutlined';
import PaperIcon from '@mui/icons-material/ReceiptLongOutlined';
import PhoneIcon from '@mui/icons-material/PhonelinkLockOutlined';
import { styled } from '@mui/material/styles';
import { passkeysWork, readSecurity, removeAuthenticator } from '../../api/second-factor.ts';
import { RECOVERY_CODES, type SecondFactors } from '../../domain/protocol/second-factor.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { formatCount, formatMoment } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Chip, Explained, Line, Lines, NotTold, SheetHeading } from './account-parts.tsx';
import { FactorChoice } from './factor-choice.tsx';
import { PasskeyLine } from './passkey-line.tsx';
import { useAsked } from './use-asked.ts';
import { type FactorSetUp, useFactorSetUp } from './use-factor-set-up.tsx';

/** How one shows at the sign-in that it is oneself: password, second factors, recovery codes. */
export default function SecurityScreen() {
  const asked = useAsked(readSecurity);
  const setUp = useFactorSetUp(asked.ask);
  return (
    <>
      <PageHeader title="Security" subtitle="How you show that it is you" />
      <NotTold asked={asked} />
      {asked.value && <Factors factors={asked.value} setUp={setUp} />}
      {setUp.dialogs}
    </>
  );
}

function Factors({ factors, setUp }: { factors: SecondFactors; setUp: FactorSetUp }) {
  const isSetUp = factors.passkeys.length > 0 || factors.authenticatorSince !== undefined;
  return (
    <>
      <Surface aria-label="Password">
        <Lines>
          <Line mark={<PasswordIcon />} title="Password" note="Asked for at every sign-in without a passkey">
            <ButtonLink variant="outlined" color="inherit" to="/pass-change">
              Change
            </ButtonLink>
          </Line>
        </Lines>
      </Surface>
      <SheetHeading>Second factor</SheetHeading>
      {isSetUp ? <SetUp factors={factors} setUp={setUp} /> : <NotSetUp factors={factors} setUp={setUp} />}
    </>
  );
}

function NotSetUp({ factors, setUp }: { factors: SecondFactors; setUp: FactorSetUp }) {
  return (
    <Surface aria-label="Second factor">
      <Lead>
        Only your password protects your account now. With a second factor a stolen password opens nothing.
        {factors.required && ' It is required here.'}
      </Lead>
      <FactorChoice setUp={setUp} />
    </Surface>
  );
}

function SetUp({ factors, setUp }: { factors: SecondFactors; setUp: FactorSetUp }) {
  return (
    <>
      <Explained>
        After your password, one of these is asked for. A passkey is enough by itself.
        {factors.required && ' One has to remain: a second factor is required here.'}
      </Explained>
      <Surface aria-label="Second factor">
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
              Add a passkey
            </Button>
          </Foot>
        )}
      </Surface>
    </>
  );
}

function AppLine({ since, setUp }: { since: string | undefined; setUp: FactorSetUp }) {
  const remove = async () => {
    const text = 'Its codes are not taken any more.';
    const question = { title: 'Remove the authenticator app?', text, confirmLabel: 'Remove', destructive: true };
    if (await confirm(question)) setUp.change(removeAuthenticator);
  };
  return (
    <Line mark={<PhoneIcon />} title="Authenticator app" note={noteOnApp(since)}>
      <Button
        variant="outlined"
        color="inherit"
        aria-label={APP_VERBS[since === undefined ? 0 : 1]}
        onClick={setUp.app}
      >
        {since === undefined ? 'Set up' : 'Replace'}
      </Button>
      {since !== undefined && (
        <Button
          variant="outlined"
          color="inherit"
          aria-label="Remove the authenticator app"
          onClick={() => void remove()}
        >
          Remove
        </Button>
      )}
    </Line>
  );
}

function noteOnApp(since: string | undefined): string {
  return since === undefined ? 'Not set up' : `Set up ${formatMoment(Date.parse(since), Date.now())}`;
}

const APP_VERBS = ['Set up the authenticator app', 'Replace the authenticator app'];

/** So few codes, and it is time for new ones. */
const FEW = 3;

function CodesLine({ left, setUp }: { left: number; setUp: FactorSetUp }) {
  const renew = async () => {
    const text = 'The codes that you have kept stop working.';
    if (await confirm({ title: 'Make new recovery codes?', text, confirmLabel: 'Make new ones' })) setUp.codes();
  };
  const title = (
    <>
      Recovery codes
      {left <= FEW && <Chip>Make new ones soon</Chip>}
    </>
  );
  const note = `${formatCount(left, 'code')} of ${RECOVERY_CODES} left, for when the rest is lost`;
  return (
    <Line mark={<PaperIcon />} title={title} note={note}>
      <Button variant="outlined" color="inherit" aria-label="Make new recovery codes" onClick={() => void renew()}>
        Make new
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
