/** Public rules by number and agreements by code: their names and validation. */

export const RULE_TITLE_MAX = 40;
export const RULE_BODY_MAX = 600;
/** How far ahead a version may be planned, in days. */
export const RULE_AHEAD_DAYS = 180;
/** Notice period: agreements promise that a change is public this long before it is in force. */
export const AGREEMENT_NOTICE_DAYS = 7;

/** '3', '3.2', '3.2.1'. */
export const ruleNoPattern = /^\d{1,2}(\.\d{1,2}){0,2}$/;

/** The agreements of the program, and the article under which each is read. */
export const agreements = {
  user_agreement: { name: '用户协议', article: 'agreement' },
  privacy: { name: '隐私政策', article: 'privacy' },
  adult: { name: '成年声明', article: null },
} as const;
export type AgreementCode = keyof typeof agreements;

/** The agreement that an article shows; undefined for every other article. */
export const agreementOfArticle = (article: string): AgreementCode | undefined =>
  (Object.keys(agreements) as AgreementCode[]).find((code) => agreements[code].article === article);

/** Rules that the program itself enforces, so they cannot be retired: penalties, refunds of deposits, levels, pay-outs. */
export const rulesOfTheProgram: readonly string[] = ['5.3', '6.3', '7.1', '8.1', '8.3'];

export const textStateNames = { counts: '生效中', planned: '待生效', past: '已过去', revoked: '已撤销' } as const;
export type TextState = keyof typeof textStateNames;
