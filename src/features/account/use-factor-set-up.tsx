import { type ReactNode, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { addPasskey, beginAuthenticator, makeRecoveryCodes } from '../../api/second-factor.ts';
import type { FactorAdded, NewAuthenticator } from '../../domain/protocol/second-factor.ts';
import { notify } from '../../stores/notifications.ts';
import { useUnsaved } from '../../stores/unsaved.ts';
import { useFreshSignIn } from '../auth/use-fresh-sign-in.tsx';
import { AuthenticatorDialog } from './authenticator-dialog.tsx';
import { CodesDialog } from './codes-dialog.tsx';

/** The actions that set up second factors, and their dialogs. */
export interface FactorSetUp {
  readonly passkey: () => void;
  readonly app: () => void;
  readonly codes: () => void;
  /** Runs work that may require a recent sign-in, and shows the server's message. */
  readonly change: (work: () => Promise<string>) => void;
  /** The open dialogs. The screen has to render them. */
  readonly dialogs: ReactNode;
}

/** Sets up second factors. `onChanged` is called after a change, once new recovery codes were shown. */
export function useFactorSetUp(onChanged: () => void): FactorSetUp {
  const { freshly, dialog } = useFreshSignIn();
  const [app, setApp] = useState<NewAuthenticator>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [making, setMaking] = useState(false);
  // The server shows recovery codes once, and new ones end the old ones.
  useUnsaved(making || codes !== undefined);
  const added = ({ message, recoveryCodes }: FactorAdded) => {
    setApp(undefined);
    notify(message, { kind: 'done' });
    if (recoveryCodes === undefined) onChanged();
    else setCodes(recoveryCodes);
  };
  const run = <T,>(work: () => Promise<T>, then: (result: T) => void) =>
    freshly(work).then(then, (caught: unknown) => notify(messageOf(caught), { kind: 'error' }));
  const make = (work: () => Promise<FactorAdded>) => {
    setMaking(true);
    void run(work, added).finally(() => setMaking(false));
  };
  const seen = () => {
    setCodes(undefined);
    onChanged();
  };
  const told = (message: string) => {
    notify(message, { kind: 'done' });
    onChanged();
  };
  return {
    passkey: () => make(addPasskey),
    app: () => void run(beginAuthenticator, setApp),
    codes: () => make(makeRecoveryCodes),
    change: (work) => void run(work, told),
    dialogs: (
      <>
        {dialog}
        {app && <AuthenticatorDialog app={app} onAdded={added} onClose={() => setApp(undefined)} />}
        {codes && <CodesDialog codes={codes} onClose={seen} />}
      </>
    ),
  };
}
