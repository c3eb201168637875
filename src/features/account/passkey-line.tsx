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
import { t } from '../../language/t.ts';

/** One passkey: its name, its last use, and its actions. */
export function PasskeyLine({ passkey, setUp }: { passkey: Passkey; setUp: FactorSetUp }) {
  const [renaming, setRenaming] = useState(false);
  const { id, name } = passkey;
  const remove = async () => {
    const text = t('It will no longer sign you in here. Remove it from your device or password manager too.');
    const question = { title: t('Remove {name}?', { name }), text, confirmLabel: t('Remove'), destructive: true };
    if (await confirm(question)) setUp.change(() => removePasskey(id));
  };
  const rename = (next: string) => {
    setRenaming(false);
    setUp.change(() => renamePasskey(id, next));
  };
  return (
    <>
      <Line mark={<KeyIcon />} title={name} note={noteOn(passkey)}>
        <Button
          variant="outlined"
          color="inherit"
          aria-label={t('Rename {name}', { name })}
          onClick={() => setRenaming(true)}
        >
          {t('Rename')}
        </Button>
        <Button
          variant="outlined"
          color="inherit"
          aria-label={t('Remove {name}', { name })}
          onClick={() => void remove()}
        >
          {t('Remove')}
        </Button>
      </Line>
      {renaming && <RenameDialog name={name} onRename={rename} onClose={() => setRenaming(false)} />}
    </>
  );
}

function noteOn({ createdAt, usedAt }: Passkey): string {
  const now = Date.now();
  const used =
    usedAt === undefined ? t('not used yet') : t('last used {time}', { time: formatMoment(Date.parse(usedAt), now) });
  return t('Passkey · added {time} · {used}', { time: formatMoment(Date.parse(createdAt), now), used });
}
