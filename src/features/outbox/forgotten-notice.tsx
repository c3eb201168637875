import Button from '@mui/material/Button';
import { letForgottenGo, sendAgain } from '../../api/kept.ts';
import { useKept } from '../../api/live-kept.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { perLocale } from '../../language/format.ts';
import { locale, t } from '../../language/t.ts';
import { told, toldDone } from '../../resource/told.ts';
import { useAdministrator } from '../../resource/use-administrator.ts';
import { notify } from '../../stores/notifications.ts';
import { confirm } from '../../ui/confirm.tsx';
import { operationOf } from './entry-words.ts';
import './kept.css';

/** Changes that are named; the rest are counted. */
const SHOWN = 5;

/**
 * Names the confirmed changes that the server no longer knows, because an older backup was restored, and sends them again.
 * Renders nothing if there are none.
 */
export default function ForgottenNotice({ now }: { readonly now: number }) {
  const administrator = useAdministrator();
  const forgotten = useKept()?.forgotten ?? [];
  if (forgotten.length === 0) return null;
  const send = async () => {
    const count = await told(sendAgain(administrator));
    if (count === undefined) return;
    notify(t('{count, plural, one {# change is} other {# changes are}} on the way again.', { count }), {
      kind: 'done',
    });
  };
  return (
    <section className="forgotten" aria-labelledby="forgotten">
      <h2 id="forgotten">{forgottenWords(forgotten, now)}</h2>
      <p>{t('An older state of the server was restored. This device still has what was sent from it since then.')}</p>
      <ul>
        {forgotten.slice(0, SHOWN).map((entry) => (
          <li key={entry.id}>
            <strong>{entry.title}</strong> {operationOf(entry)}
          </li>
        ))}
        {forgotten.length > SHOWN && <li>{t('and {count} more', { count: forgotten.length - SHOWN })}</li>}
      </ul>
      <div className="forgotten-actions">
        <Button size="small" variant="contained" onClick={() => void send()}>
          {t('Send again')}
        </Button>
        <Button size="small" color="inherit" onClick={() => void letGo(administrator, forgotten.length)}>
          {t('Leave them out')}
        </Button>
      </div>
    </section>
  );
}

async function letGo(administrator: string, count: number): Promise<void> {
  const isSure = await confirm({
    title: t('Leave {count, plural, one {# change} other {# changes}} out?', { count }),
    text: t('The server stays as it was restored, and this device gives its copies up for good.'),
    confirmLabel: t('Leave out'),
    destructive: true,
  });
  if (isSure) await toldDone(letForgottenGo(administrator));
}

const DAY = 24 * 60 * 60_000;

const weekday = perLocale((tag) => new Intl.DateTimeFormat(tag, { weekday: 'long' }));
const relative = perLocale((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
const date = perLocale((tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long' }));

/** "12 changes of Tuesday are not on the server any more". */
function forgottenWords(forgotten: readonly OutboxEntry[], now: number): string {
  const count = forgotten.length;
  const days = new Set(forgotten.map(({ receipt }) => midnight(receipt?.at ?? now)));
  const first = Math.min(...days);
  const daysAgo = Math.round((midnight(now) - first) / DAY);
  if (days.size === 1 && daysAgo < 7)
    return t(
      '{count, plural, one {# change of {day} is not on the server any more.} other {# changes of {day} are not on the server any more.}}',
      { count, day: dayWords(first, daysAgo) },
    );
  return t(
    '{count, plural, one {# change since {day} is not on the server any more.} other {# changes since {day} are not on the server any more.}}',
    { count, day: daysAgo < 7 ? dayWords(first, daysAgo) : date(locale()).format(first) },
  );
}

function dayWords(day: number, daysAgo: number): string {
  return daysAgo < 2 ? relative(locale()).format(-daysAgo, 'day') : weekday(locale()).format(day);
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
