import { type ReactNode, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { addPasskey, beginAuthenticator, makeRecoveryCodes } from '../../api/second-factor.ts';
import type { FactorAdded, NewAuthenticator } from '../../domain/protocol/second-factor.ts';
import { notify } from '../../stores/notifications.ts';
import { useFreshSignIn } from '../auth/use-fresh-sign-in.tsx';
import { AuthenticatorDialog } from './authenticator-dialog.tsx';
import { CodesDialog } from './codes-dialog.tsx';

/** What can be set up, and the dialogs that belong to it. */
export interface FactorSetUp {
  readonly passkey: () => void;
  readonly app: () => void;
  readonly codes: () => void;
  /** Does something that asks for a fresh sign-in, and tells the server's words. */
  readonly change: (work: () => Promise<string>) => void;
  /** To be shown by the screen. */
  readonly dialogs: ReactNode;
}

/** Sets second factors up. `onChanged` is called once something has changed and what had to be seen of it was seen. */
export function useFactorSetUp(onChanged: () => void): FactorSetUp {
  const { freshly, dialog } = useFreshSignIn();
  const [app, setApp] = useState<NewAuthenticator>();
  const [codes, setCodes] = useState<readonly string[]>();
  const added = ({ message, recoveryCodes }: FactorAdded) => {
    setApp(undefined);
    notify(message, { kind: 'success' });
    if (recoveryCodes === undefined) onChanged();
    else setCodes(recoveryCodes);
  };
  const run = <T,>(work: () => Promise<T>, then: (result: T) => void) => {
    freshly(work).then(then, (caught: unknown) => notify(messageOf(caught), { kind: 'error' }));
  };
  const seen = () => {
    setCodes(undefined);
    onChanged();
  };
  const told = (message: string) => {
    notify(message, { kind: 'success' });
    onChanged();
  };
  return {
    passkey: () => run(addPasskey, added),
    app: () => run(beginAuthenticator, setApp),
    codes: () => run(makeRecoveryCodes, added),
    change: (work) => run(work, told),
    dialogs: (
      <>
        {dialog}
        {app && <AuthenticatorDialog app={app} onAdded={added} onClose={() => setApp(undefined)} />}
        {codes && <CodesDialog codes={codes} onClose={seen} />}
      </>
    ),
  };
}
