/** Bounds of what is offered; the form counts with them while one types, the server refuses with them. Prices in fen. */
export const offerLimits = {
  titleMin: 4,
  titleMax: 120,
  descriptionMax: 2000,
  stockMax: 100_000,
  priceMinFen: 100,
  priceMaxFen: 99_999_900,
  pictures: 20,
} as const;
