import type { Data } from '#contract/endpoint.ts';
import type { serviceOrder } from '#contract/services.ts';

/** A service as its order's page has it. */
export type ServiceOrder = Data<typeof serviceOrder>;
