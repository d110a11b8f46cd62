/** Kinds of link between two users (SQL function user_links; decision 110). */
export const linkNames = {
  browser: '共用浏览器',
  payee: '同一收款账户',
  network: '同一网络',
  inviter: '邀请关系',
} as const;
export type LinkReason = keyof typeof linkNames;

/** Display texts of links, for staff. */
export const linkTexts = (links: readonly string[]): string[] =>
  links.flatMap((link) => (link in linkNames ? [linkNames[link as LinkReason]] : []));
