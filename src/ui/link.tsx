import type { ComponentProps, MouseEvent } from 'react';
import { type To, useHref, useLinkClickHandler, useLocation } from 'react-router-dom';

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  readonly to: To;
  readonly replace?: boolean | undefined;
  /** History state of the location. */
  readonly state?: unknown;
}

/** A link to another screen. The router's own link includes prefetching and forms, 3 kB before the first list. */
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
  /** Matches only the exact address, not those below it. */
  readonly end?: boolean;
}

/** A link with `aria-current` when it leads to the current page. */
export function NavLink({ end = false, ...props }: NavLinkProps) {
  const { pathname } = useLocation();
  const here = pathname === props.to || (!end && pathname.startsWith(`${props.to}/`));
  return <Link {...props} aria-current={here ? 'page' : undefined} />;
}
