/** With fewer completed sales the record of a seller says little. */
const FEW_SALES = 5;

/** Whether a seller is new to selling here: what has not been inspected is then a risk that buyers are told of. */
export const isNewSeller = (soldNum: number): boolean => soldNum < FEW_SALES;
