import ChevronIcon from '@mui/icons-material/ExpandMore';
import { useEffect, useId } from 'react';
import { useLocation } from 'react-router-dom';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { openGroup, toggleGroup, usePreferences } from '../../stores/preferences.ts';
import { RESOURCE_ICONS } from '../../ui/resource-icons.ts';
import { GroupButton, NavList, SubEntry } from './nav-parts.tsx';

/** One kind of record in the sidebar: its name, which opens the two links. The group of the shown page opens by itself. */
export function NavGroup({ resource }: { resource: Resource }) {
  const open = usePreferences(({ openGroups }) => openGroups.includes(resource.name));
  const id = useId();
  const { list, create } = routesOf(resource);
  const here = useLocation().pathname.startsWith(`/${resource.path}-`);
  useEffect(() => {
    if (here) openGroup(resource.name);
  }, [here, resource.name]);
  const Icon = RESOURCE_ICONS[resource.name];
  return (
    <li>
      <GroupButton
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => toggleGroup(resource.name)}
      >
        <Icon />
        {resource.label.many}
        <ChevronIcon className="chevron" />
      </GroupButton>
      {open && (
        <NavList id={id} aria-label={resource.label.many}>
          <li>
            <SubEntry to={create}>Create New</SubEntry>
          </li>
          <li>
            <SubEntry to={list}>{resource.label.list}</SubEntry>
          </li>
        </NavList>
      )}
    </li>
  );
}
