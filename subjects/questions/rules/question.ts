import { BOOSTING, COMPANION_PLAY, type ServiceType } from '#subjects/orders/rules/order-types.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';

/** Public questions under a listing, and reports of a listing, a question or an answer (docs/decisions/294). */
export const QUESTION_TEXT_MAX = 100;
export const QUESTION_ANSWER_MAX = 300;
/** Questions of one person: in a day, and under one listing in a day. */
export const QUESTIONS_PER_DAY = 20;
export const QUESTIONS_PER_GOODS = 3;
/** Reports of one person in a day, and proofs of one report. */
export const GOODS_REPORTS_PER_DAY = 10;
export const GOODS_REPORT_PICTURES = 6;
/** A person with this many false reports within this many days cannot report for the rest of the period. */
export const FALSE_REPORTS_MAX = 3;
export const FALSE_REPORT_DAYS = 30;

export const goodsReportParts = ['goods', 'question', 'answer'] as const;
export type GoodsReportPart = (typeof goodsReportParts)[number];
export const goodsReportPartNames: Readonly<Record<GoodsReportPart, string>> = {
  goods: '商品',
  question: '提问',
  answer: '回答',
};

const ACCOUNT_QUESTIONS = ['绑定的手机和邮箱都能换吗？', '换绑大概要多久？', '二次实名还能改吗？'];
const GOODS_QUESTIONS = ['现在拍下多久能发货？', '数量可以拆开买吗？', '是怎么交付的？'];
const SERVICE_QUESTIONS: Readonly<Record<number, readonly string[]>> = {
  [BOOSTING]: ['今天能开打吗？', '中途要用号怎么办？', '打不到目标怎么算？'],
  [COMPANION_PLAY]: ['今晚有空吗？', '可以指定英雄或位置吗？', '没玩满的时间退吗？'],
} satisfies Record<ServiceType, readonly string[]>;

/** Questions that buyers often ask, offered while a listing has none, by what is sold. */
export const usualQuestions = (goodsTypeId: number): readonly string[] =>
  SERVICE_QUESTIONS[goodsTypeId] ?? (accountTypes.includes(goodsTypeId) ? ACCOUNT_QUESTIONS : GOODS_QUESTIONS);
