/** Reviews for other subjects. */
export { maskedBuyer } from './rules.ts';
