/**
 * Events and jobs run in parallel lanes, so that a slow one delays its own lane only. market: orders, their deadlines and money; vendors:
 * calls of payment channels; notices: messages to users; webhooks: events to
 * sellers' addresses, with unpredictable response times; pictures: addresses in sellers' tables, on sites that may be slow; upkeep: search,
 * cleaning, statistics and files.
 */
export const LANES = ['market', 'vendors', 'notices', 'webhooks', 'pictures', 'upkeep'] as const;
export type Lane = (typeof LANES)[number];
