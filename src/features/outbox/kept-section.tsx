import { useKept } from '../../api/live-kept.ts';
import { t } from '../../language/t.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { formatMoment, formatSize } from '../../ui/format.ts';
import './kept.css';

/** Says what of the confirmed changes is still kept here, since when, and why. Renders nothing where the server keeps no backups itself. */
export function KeptSection({ now }: { readonly now: number }) {
  return useServerAbilities(({ kept }) => kept) === true ? <Kept now={now} /> : null;
}

function Kept({ now }: { readonly now: number }) {
  const state = useKept();
  if (state === undefined) return null;
  const { count, since = now, bytes, textsOnly } = state;
  return (
    <section className="outbox-part" aria-labelledby="kept">
      <h2 id="kept">{t('Kept until backed up')}</h2>
      <p className="kept">
        {count === 0
          ? t('Everything that was sent from this device is in a backup of the server.')
          : `${t(
              '{count, plural, one {# sent change since {since} is in no backup of the server yet.} other {# sent changes since {since} are in no backup of the server yet.}}',
              { count, since: formatMoment(since, now) },
            )} ${
              bytes > 0
                ? t('A copy stays on this device until then, with {size} of photos and files.', {
                    size: formatSize(bytes),
                  })
                : t('A copy stays on this device until then.')
            }`}
        {textsOnly > 0 &&
          ` ${t(
            '{count, plural, one {The files of # of them had to give way.} other {The files of # of them had to give way.}}',
            { count: textsOnly },
          )}`}
      </p>
    </section>
  );
}
