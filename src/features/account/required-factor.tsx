import { requireSecondFactor } from '../../api/second-factor.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { useFreshSignIn } from '../auth/use-fresh-sign-in.tsx';
import { Explained, SheetHeading } from './account-parts.tsx';
import type { ServerData } from './use-server-data.ts';
import { t } from '../../language/t.ts';

interface Props {
  required: boolean;
  act: ServerData<unknown>['act'];
}

/** Lets owners decide whether everyone needs a second factor. */
export function RequiredFactor({ required, act }: Props) {
  const { freshly, dialog } = useFreshSignIn();
  const change = async () => {
    const text = t('Anyone without one must set it up before doing anything else. No waiting changes are lost.');
    const question = { title: t('Require a second factor for everyone?'), text, confirmLabel: t('Require it') };
    if (required || (await confirm(question))) await act(() => freshly(() => requireSecondFactor(!required)));
  };
  return (
    <>
      <SheetHeading>{t('Second factor')}</SheetHeading>
      <Explained>
        {required
          ? t('Everyone needs one: a passkey or an authenticator app.')
          : t('Optional: everyone decides whether to set up a passkey or an authenticator app.')}
      </Explained>
      <Button variant="outlined" color="inherit" onClick={() => void change()}>
        {required ? t('Make it optional') : t('Require it for everyone')}
      </Button>
      {dialog}
    </>
  );
}
