/** Brands for the rest of the server. */
export { addHost, type BrandServiceContext, createBrand, updateBrand } from './brands.ts';
export type { BrandActor } from './rows.ts';
export { feesNeedSecond } from './terms.ts';
