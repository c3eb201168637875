import CloseIcon from '@mui/icons-material/Close';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import { type CustomContentProps, useSnackbar } from 'notistack';
import { type Ref, useCallback, useEffect, useRef, useState } from 'react';
import type { Notification } from '../stores/notifications.ts';
import { colour, tint } from '../ui/tokens.ts';
import { type Countdown, startCountdown } from './countdown.ts';
import { say, t } from '../language/t.ts';

/** How long a toast stays, not counting time under the pointer or with the focus. Milliseconds. */
const TOAST_TIME = 3000;

interface Props extends CustomContentProps {
  readonly notification: Notification;
  readonly ref?: Ref<HTMLDivElement>;
}

/** A message with a bar that shows the remaining time. Failures interrupt screen readers; successes do not. */
export function Toast({ id, notification, ref, style }: Props) {
  const { message, kind, action } = notification;
  const { closeSnackbar } = useSnackbar();
  const close = useCallback(() => closeSnackbar(id), [closeSnackbar, id]);
  const { paused, pause, resume } = useToastTime(close);
  const act = () => {
    action?.run();
    close();
  };
  return (
    <Frame
      ref={ref}
      role={kind === 'error' ? 'alert' : 'status'}
      style={{ ...style, '--tone': TONES[kind] } as React.CSSProperties}
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      <span>{say(message)}</span>
      {action && (
        <Button size="small" color="inherit" onClick={act}>
          {action.label}
        </Button>
      )}
      <IconButton size="small" color="inherit" aria-label={t('Close')} onClick={close}>
        <CloseIcon fontSize="small" />
      </IconButton>
      <Bar aria-hidden="true" data-paused={paused || undefined} />
    </Frame>
  );
}

const TONES: Readonly<Record<Notification['kind'], string>> = {
  success: colour.good,
  done: colour.good,
  error: colour.bad,
  info: colour.info,
};

function useToastTime(end: () => void) {
  const [paused, setPaused] = useState(false);
  const countdown = useRef<Countdown>(undefined);
  useEffect(() => {
    const running = startCountdown(TOAST_TIME, end);
    countdown.current = running;
    return running.stop;
  }, [end]);
  const pause = () => {
    countdown.current?.pause();
    setPaused(true);
  };
  const resume = () => {
    countdown.current?.resume();
    setPaused(false);
  };
  return { paused, pause, resume };
}

const Frame = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(1),
  boxSizing: 'border-box',
  width: '100%',
  minHeight: 50,
  padding: '2px 6px 3px 16px',
  lineHeight: 1.3,
  overflow: 'hidden',
  border: `1px solid ${tint('var(--tone)', 32, colour.line)}`,
  borderRadius: 14,
  backgroundColor: tint('var(--tone)', 7, colour.surface),
  color: colour.text,
  fontWeight: 500,
  boxShadow: '0 12px 32px rgb(4 22 27 / 0.18)',
  '& > span': { flex: 1, paddingBlock: 4, overflowWrap: 'anywhere' },
}));

// The shrinking bar shows the remaining time. With reduced motion the bar is static, and the toast still closes.
const Bar = styled('div')({
  position: 'absolute',
  left: 0,
  bottom: 0,
  width: '100%',
  height: 3,
  backgroundColor: 'var(--tone)',
  transformOrigin: 'left',
  '@keyframes run-out': { to: { transform: 'scaleX(0)' } },
  animation: `run-out ${TOAST_TIME}ms linear forwards`,
  '&[data-paused]': { animationPlayState: 'paused' },
  '@media (prefers-reduced-motion: reduce)': { animation: 'none' },
});
