/**
 * Events and jobs run in parallel lanes, so that a slow one delays its own lane only. market: orders, their deadlines and money; vendors:
 * calls of payment channels; notices: messages to users; webhooks: events to
 * addresses of sellers, which answer as they like; upkeep: search, cleaning, statistics and files.
 */
export const LANES = ['market', 'vendors', 'notices', 'webhooks', 'upkeep'] as const;
export type Lane = (typeof LANES)[number];
