import KeyIcon from '@mui/icons-material/KeyOutlined';
import { useState } from 'react';
import { removePasskey, renamePasskey } from '../../api/second-factor.ts';
import type { Passkey } from '../../domain/protocol/second-factor.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { formatMoment } from '../../ui/format.ts';
import { Line } from './account-parts.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import type { FactorSetUp } from './use-factor-set-up.tsx';

/** One passkey: its name, when it was used, and what can be done about it. */
export function PasskeyLine({ passkey, setUp }: { passkey: Passkey; setUp: FactorSetUp }) {
  const [renaming, setRenaming] = useState(false);
  const { id, name } = passkey;
  const remove = async () => {
    const text = 'It opens nothing here any more. Remove it from your device or password manager as well.';
    const question = { title: `Remove ${name}?`, text, confirmLabel: 'Remove', destructive: true };
    if (await confirm(question)) setUp.change(() => removePasskey(id));
  };
  const rename = (next: string) => {
    setRenaming(false);
    setUp.change(() => renamePasskey(id, next));
  };
  return (
    <>
      <Line mark={<KeyIcon />} title={name} note={noteOn(passkey)}>
        <Button variant="outlined" color="inherit" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <Button variant="outlined" color="inherit" aria-label={`Remove ${name}`} onClick={() => void remove()}>
          Remove
        </Button>
      </Line>
      {renaming && <RenameDialog name={name} onRename={rename} onClose={() => setRenaming(false)} />}
    </>
  );
}

function noteOn({ createdAt, usedAt }: Passkey): string {
  const now = Date.now();
  const used = usedAt === undefined ? 'not used yet' : `last used ${formatMoment(Date.parse(usedAt), now)}`;
  return `Passkey · added ${formatMoment(Date.parse(createdAt), now)} · ${used}`;
}
