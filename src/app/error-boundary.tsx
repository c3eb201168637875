import { Component, type ErrorInfo, type ReactNode, useEffect } from 'react';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { t } from '../language/t.ts';
import { reloadWhenReachable } from './missing-code.ts';

interface Props {
  children: ReactNode;
  /** A change of this text, such as the address, renders the content again. */
  occasion: string;
  /** Replaces failed content. A notice by default. */
  fallback?: ReactNode;
}

interface State {
  readonly failure?: Error | undefined;
  readonly occasion: string;
}

/** Contains the failure of a screen, so that other screens, the navigation and the outbox still work. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { occasion: this.props.occasion };

  static getDerivedStateFromError(failure: Error): Partial<State> {
    return { failure };
  }

  static getDerivedStateFromProps({ occasion }: Props, state: State): State | null {
    return occasion === state.occasion ? null : { occasion, failure: undefined };
  }

  override componentDidCatch(failure: Error, { componentStack }: ErrorInfo): void {
    console.error(failure, componentStack);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    return (
      <>
        <PageHeader title={t('This page could not be shown')} />
        {isMissingCode(failure) ? <MissingCode /> : <Failed />}
      </>
    );
  }
}

function MissingCode() {
  useEffect(reloadWhenReachable, []);
  return (
    <FailureNotice message={t('Part of the app isn’t on this device yet.')} onRetry={() => location.reload()}>
      {t('It will load when the connection returns.')}
    </FailureNotice>
  );
}

function Failed() {
  return (
    <FailureNotice message={t('Something went wrong.')} onRetry={() => location.reload()}>
      {t('What you saved is safe on this device.')}
    </FailureNotice>
  );
}

/** True for a chunk that cannot be fetched. This is all that the browsers' messages have in common. */
function isMissingCode({ message }: Error): boolean {
  return /import|module|chunk/i.test(message);
}
