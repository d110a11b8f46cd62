/** The interface of valuations for higher subjects: the price of an account with its floor. */
export { accountFields, checkedDetails } from './fields.ts';
export { type Reference, loadReference, rounded, salesLike, type SimilarSales } from './references.ts';
export { type MonthRate, monthRates } from './models.ts';
export { ACCOUNTS as VALUED_TYPES } from './sales.ts';
export { type Floor, MIN_FLOOR_FEN } from './floor.ts';
export { type Valuation, valueAccount } from './evaluate.ts';
export { type Cut, cutBp, cutsOf, MAX_CUT_BP } from './cuts.ts';
