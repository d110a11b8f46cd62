/** Limits of offers; the form validates with them while typing, the server enforces them. Prices in fen. */
export const offerLimits = {
  titleMin: 4,
  titleMax: 120,
  descriptionMax: 2000,
  stockMax: 100_000,
  priceMinFen: 100,
  priceMaxFen: 99_999_900,
  pictures: 20,
} as const;
