import { type ComponentType, lazy } from 'react';
import type { PendingRow } from '../domain/outbox/optimistic-view.ts';
import type { Resource, ResourceName } from '../domain/resource.ts';

/** What a list offers to change its order. */
export interface OrderProps {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  readonly onClose: () => void;
}

export interface Override {
  /** The records have an order of their own, which can be changed as a whole. */
  readonly order?: ComponentType<OrderProps>;
}

/** Everything that is written for one kind alone. All else derives from the definitions. */
export const OVERRIDES: Partial<Record<ResourceName, Override>> = {
  sliders: { order: lazy(() => import('./sliders/slider-order.tsx')) },
};
