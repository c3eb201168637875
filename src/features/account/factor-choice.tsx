import { styled } from '@mui/material/styles';
import KeyIcon from '@mui/icons-material/KeyOutlined';
import PhoneIcon from '@mui/icons-material/PhonelinkLockOutlined';
import type { ReactNode } from 'react';
import { passkeysWork } from '../../api/second-factor.ts';
import { colour, tint } from '../../ui/tokens.ts';
import type { FactorSetUp } from './use-factor-set-up.tsx';
import { t } from '../../language/t.ts';

/** The two kinds of second factor, the stronger one first. */
export function FactorChoice({ setUp }: { setUp: FactorSetUp }) {
  return (
    <Ways>
      {passkeysWork() && (
        <Way icon={<KeyIcon />} title={t('Add a passkey')} onChoose={setUp.passkey}>
          {t(
            'Use your fingerprint, face or PIN on this device, or a security key. There’s nothing to type, and nothing a phishing site can steal.',
          )}
        </Way>
      )}
      {!passkeysWork() && (
        <p>
          {window.isSecureContext
            ? t('This browser has no passkeys.')
            : t('Passkeys need a secure address: open Voltdesk with https://.')}
        </p>
      )}
      <Way icon={<PhoneIcon />} title={t('Use an authenticator app')} onChoose={setUp.app}>
        {t('An app on your phone shows six digits that change every 30 seconds. It works offline.')}
      </Way>
    </Ways>
  );
}

function Way({
  icon,
  title,
  onChoose,
  children,
}: {
  icon: ReactNode;
  title: string;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <Choice type="button" onClick={onChoose}>
      <span aria-hidden="true">{icon}</span>
      <strong>{title}</strong>
      <small>{children}</small>
    </Choice>
  );
}

const Ways = styled('div')({
  '& > p': { gridColumn: '1 / -1', margin: 0, color: colour.quietText },
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(240px, 1fr))',
  gap: 12,
});

const Choice = styled('button')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '44px 1fr',
  alignContent: 'start',
  gap: theme.spacing(0.5, 1.75),
  padding: theme.spacing(2),
  border: `1px solid ${colour.line}`,
  borderRadius: 14,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  textAlign: 'start',
  cursor: 'pointer',
  '&:hover': { borderColor: colour.brand, backgroundColor: tint(colour.brand, 5) },
  '&:focus-visible': { borderRadius: 14 },
  '& > span': {
    gridRow: 'span 2',
    display: 'grid',
    placeItems: 'center',
    width: 44,
    height: 44,
    borderRadius: '50%',
    backgroundColor: tint(colour.brand, 10),
    color: colour.brand,
  },
  '& > strong': { fontWeight: 600 },
  '& > small': { ...theme.typography.body2, color: colour.quietText },
}));
