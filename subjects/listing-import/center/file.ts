import type { Data } from '#contract/endpoint.ts';
import type { listingImportDetail } from '#subjects/listing-import/contract/listing-import.ts';

/** A seller's file as its pages show it. */
export type ImportFile = Data<typeof listingImportDetail>;
