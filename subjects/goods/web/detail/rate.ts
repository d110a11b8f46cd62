/** A rate with at most one decimal: 99.6, 100. */
export const rate = (value: number): string => String(Number(value.toFixed(1)));
