import ChevronIcon from '@mui/icons-material/ExpandMore';
import { useId, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { useMay } from '../../stores/session.ts';
import { toggleGroup, usePreferences } from '../../stores/preferences.ts';
import { RESOURCE_ICONS } from '../../ui/resource-icons.ts';
import { GroupButton, NavList, SubEntry } from './nav-parts.tsx';
import { say, t } from '../../language/t.ts';

/** A resource in the sidebar: its name, which expands to two links. */
export function NavGroup({ resource }: { resource: Resource }) {
  const { open, here, toggle } = useGroup(resource);
  const id = useId();
  const mayEdit = useMay('editor');
  const { list, create } = routesOf(resource);
  const Icon = RESOURCE_ICONS[resource.name];
  return (
    <li>
      <GroupButton
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        data-here={here}
        onClick={toggle}
      >
        <Icon />
        {say(resource.label.many)}
        <ChevronIcon className="chevron" />
      </GroupButton>
      {open && (
        <NavList id={id} aria-label={say(resource.label.many)}>
          {mayEdit && (
            <li>
              <SubEntry to={create}>{t('Create New')}</SubEntry>
            </li>
          )}
          <li>
            <SubEntry to={list}>{say(resource.label.list)}</SubEntry>
          </li>
        </NavList>
      )}
    </li>
  );
}

/**
 * The state of a group. The current page's group is open while the page is shown, unless the user closes it. A group opened
 * by the user stays open. If visited groups stayed open as well, every group would be open after a day's work.
 */
function useGroup(resource: Resource) {
  const { pathname } = useLocation();
  const chosen = usePreferences(({ openGroups }) => openGroups.includes(resource.name));
  const here = pathname.startsWith(`/${resource.path}-`);
  const [closedOn, setClosedOn] = useState<string>();
  const open = chosen || (here && closedOn !== pathname);
  const toggle = () => {
    setClosedOn(open && here ? pathname : undefined);
    if (open === chosen) toggleGroup(resource.name);
  };
  return { open, here, toggle };
}
