import { type ComponentType, lazy } from 'react';
import type { PendingRow } from '../domain/outbox/optimistic-view.ts';
import type { Resource, ResourceName } from '../domain/resource.ts';

/** Props of a component that changes the order of a list. */
export interface OrderProps {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  readonly onClose: () => void;
}

export interface Override {
  /** Changes the order of the records. */
  readonly order?: ComponentType<OrderProps>;
}

/** Everything specific to one kind. The rest derives from the definitions. */
export const OVERRIDES: Partial<Record<ResourceName, Override>> = {
  sliders: { order: lazy(() => import('./sliders/slider-order.tsx')) },
};
