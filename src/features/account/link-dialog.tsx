import { linkAddress } from '../../api/people.ts';
import type { MadeLink } from '../../domain/protocol/people.ts';
import { formatDeadline } from '../../ui/format.ts';
import { CopyDialog } from './copy-dialog.tsx';
import { t } from '../../language/t.ts';

interface Props {
  link: MadeLink;
  /** The person it is for. */
  name: string;
  onClose: () => void;
}

/** Shows a new link. It is never shown again. */
export function LinkDialog({ link, name, onClose }: Props) {
  return (
    <CopyDialog
      title={link.mailed ? t('Link sent to {name}', { name }) : t('Send this link to {name}', { name })}
      why={t('It works once, until {time}. It won’t be shown again.', {
        time: formatDeadline(Date.parse(link.expiresAt)),
      })}
      label={t('Link')}
      text={linkAddress(link)}
      copyLabel={t('Copy link')}
      copiedMessage={t('Link copied')}
      onClose={onClose}
    />
  );
}
