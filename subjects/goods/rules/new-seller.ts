/** With fewer completed sales the record of a seller says little. */
const FEW_SALES = 5;

/** Whether the seller is new to this market. Buyers of an uninspected listing of a new seller see a risk notice. */
export const isNewSeller = (soldNum: number): boolean => soldNum < FEW_SALES;
