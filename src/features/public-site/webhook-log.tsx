import { styled } from '@mui/material/styles';
import { sendDeliveryAgain } from '../../api/public-site.ts';
import type { Webhook, WebhookDelivery } from '../../domain/protocol/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { formatAgo, formatDeadline } from '../../ui/format.ts';
import type { ServerData } from '../account/use-server-data.ts';
import { say, t } from '../../language/t.ts';

/** The state of the latest message, and the messages before it on request. */
export function WebhookLog({ webhook, act }: { webhook: Webhook; act: ServerData<unknown>['act'] }) {
  const { deliveries, url } = webhook;
  const [newest] = deliveries;
  if (newest === undefined) return t('Nothing has changed since it was added');
  return (
    <>
      {deliveryWords(newest)}
      <Log>
        <summary aria-label={t('Messages to {url}', { url })}>{t('Messages')}</summary>
        <ol>
          {deliveries.map((delivery) => (
            <li key={delivery.id}>
              <span>
                {agoWords(delivery.createdAt)}: {deliveryWords(delivery)}
              </span>
              <Button color="inherit" onClick={() => void act(() => sendDeliveryAgain(delivery.id))}>
                {t('Send again')}
              </Button>
            </li>
          ))}
        </ol>
      </Log>
    </>
  );
}

function deliveryWords({ state, attempts, problem, nextAt }: WebhookDelivery): string {
  if (state === 'delivered') return t('Delivered');
  if (state === 'given-up') return t('Given up: {problem}', { problem: say(problem ?? '') });
  if (attempts === 0 || problem === undefined || nextAt === undefined) return t('On its way');
  return t('Waiting: {problem} Next try {time}', { problem: say(problem), time: formatDeadline(Date.parse(nextAt)) });
}

function agoWords(time: string): string {
  return formatAgo(Date.parse(time), Date.now());
}

const Log = styled('details')(({ theme }) => ({
  '& > summary': { minHeight: 44, display: 'flex', alignItems: 'center', cursor: 'pointer' },
  '& > ol': { margin: 0, padding: 0, listStyle: 'none' },
  '& li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1),
  },
}));
