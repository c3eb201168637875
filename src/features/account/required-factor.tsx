import { requireSecondFactor } from '../../api/second-factor.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { useFreshSignIn } from '../auth/use-fresh-sign-in.tsx';
import { Explained, SheetHeading } from './account-parts.tsx';
import type { Asked } from './use-asked.ts';
import { t } from '../../language/t.ts';

interface Props {
  required: boolean;
  act: Asked<unknown>['act'];
}

/** Whether everybody has to have a second factor, for owners to decide. */
export function RequiredFactor({ required, act }: Props) {
  const { freshly, dialog } = useFreshSignIn();
  const change = async () => {
    const text = t(
      'Whoever has none sets one up at their next request, before anything else. Nothing that waits is lost.',
    );
    const question = { title: t('Ask everybody for a second factor?'), text, confirmLabel: t('Require it') };
    if (required || (await confirm(question))) await act(() => freshly(() => requireSecondFactor(!required)));
  };
  return (
    <>
      <SheetHeading>{t('Second factor')}</SheetHeading>
      <Explained>
        {required
          ? t('Everybody needs one: a passkey or an authenticator app.')
          : t('It is up to everybody whether they have a passkey or an authenticator app.')}
      </Explained>
      <Button variant="outlined" color="inherit" onClick={() => void change()}>
        {required ? t('Leave it to everybody') : t('Require it of everybody')}
      </Button>
      {dialog}
    </>
  );
}
