/** How amounts are said in a story. */
export const yuan = (fen: number): string => `${(fen / 100).toFixed(2)} yuan`;
