import { useQueueState } from '../../api/live.ts';
import { outbox } from '../../api/outbox.ts';
import { linkType } from '../../offline/storage/link-type.ts';
import { told } from '../../resource/told.ts';
import { formatSize } from '../../ui/format.ts';
import { t } from '../../language/t.ts';

const MB = 1_000_000;
const SIZES = [1, 2, 5, 10, 20].map((size) => size * MB);

/** Chooses from which size on files wait for Wi-Fi. Renders nothing in a browser that does not report the type of connection. */
export function WifiSelect({ id }: { readonly id: string }) {
  const queue = useQueueState();
  if (linkType() === undefined || queue === undefined) return null;
  const choose = (value: string) => void told(outbox.keepForWifi(value === '' ? undefined : Number(value)));
  return (
    <>
      <label htmlFor={id}>
        <strong>{t('Wi-Fi only')}</strong>
        <span>
          {t('Larger files wait for Wi-Fi in the Outbox, along with their changes. Everything else is sent.')}
        </span>
      </label>
      <select
        id={id}
        className="control"
        value={queue.travel?.wifiOver ?? ''}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{t('Send files over any connection')}</option>
        {SIZES.map((size) => (
          <option key={size} value={size}>
            {t('For files over {size}', { size: formatSize(size) })}
          </option>
        ))}
      </select>
    </>
  );
}
