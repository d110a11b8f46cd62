import type { Data } from '#contract/endpoint.ts';
import type { serviceOrder } from '#subjects/services/contract/services.ts';

/** A service as provided to its order's page. */
export type ServiceOrder = Data<typeof serviceOrder>;
