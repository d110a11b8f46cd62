/**
 * Events and jobs run in lanes beside each other, so that what is slow delays its own lane alone. market: orders, their clocks and their
 * money; vendors: what asks a payment channel; notices: what people are told; upkeep: search, sweeps, figures and files.
 */
export const LANES = ['market', 'vendors', 'notices', 'upkeep'] as const;
export type Lane = (typeof LANES)[number];
