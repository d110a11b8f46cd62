import type { Data } from '#contract/endpoint.ts';
import type { serviceOrder } from '#subjects/services/contract/services.ts';

/** A service as its order's page has it. */
export type ServiceOrder = Data<typeof serviceOrder>;
