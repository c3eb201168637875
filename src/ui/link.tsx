import type { ComponentProps, MouseEvent } from 'react';
import { type To, useHref, useLinkClickHandler, useLocation } from 'react-router-dom';

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  readonly to: To;
  readonly replace?: boolean | undefined;
  /** Travels with the address. */
  readonly state?: unknown;
}

/** Leads to another screen. The router's own link brings its prefetching and its forms along, 3 kB before the first list. */
export function Link({ to, replace, state, target, onClick, children, ...rest }: Props) {
  const lead = useLinkClickHandler(to, {
    state,
    ...(replace === undefined ? {} : { replace }),
    ...(target === undefined ? {} : { target }),
  });
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!event.defaultPrevented) lead(event);
  };
  return (
    <a {...rest} href={useHref(to)} target={target} onClick={handleClick}>
      {children}
    </a>
  );
}

interface NavLinkProps extends Props {
  readonly to: string;
  /** Only this very address is the page that stands, none below it. */
  readonly end?: boolean;
}

/** A link that tells when it leads to the page that stands. */
export function NavLink({ end = false, ...props }: NavLinkProps) {
  const { pathname } = useLocation();
  const here = pathname === props.to || (!end && pathname.startsWith(`${props.to}/`));
  return <Link {...props} aria-current={here ? 'page' : undefined} />;
}
