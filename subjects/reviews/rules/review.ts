import { BUYS, type Belong, SELLS } from '#contract/rules/parties.ts';
import { isAccountOrder, isService } from '#subjects/orders/rules/order-types.ts';

/** Suggested phrases to select next to a score: for the seller by the buyer, and for the buyer by the seller. */
export const reviewTags: Readonly<Record<Belong, readonly string[]>> = {
  [BUYS]: ['描述相符', '换绑配合', '回复及时', '发货快', '价格实在', '态度好'],
  [SELLS]: ['付款及时', '沟通顺畅', '配合换绑', '确认及时', '态度好'],
};
/** Phrases about changing an account's bindings, which nothing else has. */
const bindingTags: ReadonlySet<string> = new Set(['换绑配合', '配合换绑']);
/** Phrases about shipping: nothing is shipped in a service. */
const shippingTags: ReadonlySet<string> = new Set(['发货快']);

/** The phrases that a party may select for an order of this type. */
export const suggestedTags = (belong: number, typeId: number): readonly string[] =>
  reviewTags[belong === BUYS ? BUYS : SELLS].filter(
    (tag) => (isAccountOrder(typeId) || !bindingTags.has(tag)) && !(isService(typeId) && shippingTags.has(tag)),
  );
export const REVIEW_TAGS_MAX = 6;
export const REVIEW_TEXT_MAX = 500;
export const ANSWER_TEXT_MAX = 300;
/** Days within which the reviewed party may reply to a review. */
export const ANSWER_DAYS = 30;
/** Maximum number of reports per user and day. */
export const REPORTS_PER_DAY = 10;

export const reviewLevels = ['good', 'fair', 'bad'] as const;
export type ReviewLevel = (typeof reviewLevels)[number];
export const reviewLevelNames: Readonly<Record<ReviewLevel, string>> = { good: '好评', fair: '中评', bad: '差评' };

/** The lowest and the highest number of stars of a level; four and five are good. */
export const reviewLevelScores: Readonly<Record<ReviewLevel, readonly [least: number, most: number]>> = {
  good: [4, 5],
  fair: [3, 3],
  bad: [1, 2],
};

/** The level of a score of 1 to 5 stars. */
export const reviewLevelOf = (score: number): ReviewLevel =>
  score >= reviewLevelScores.good[0] ? 'good' : score >= reviewLevelScores.fair[0] ? 'fair' : 'bad';

export const reviewReportReasons = {
  contact: '含联系方式或广告',
  abuse: '辱骂、威胁',
  false: '与事实不符',
  privacy: '泄露个人信息',
  other: '其他',
} as const;
export type ReviewReportReason = keyof typeof reviewReportReasons;

export const reviewParts = ['review', 'answer'] as const;
export type ReviewPart = (typeof reviewParts)[number];
export const reviewPartNames: Readonly<Record<ReviewPart, string>> = { review: '评价', answer: '回复' };

export const reviewReportStatuses = ['waiting', 'kept', 'hidden'] as const;
export type ReviewReportStatus = (typeof reviewReportStatuses)[number];
export const reviewReportStatusNames: Readonly<Record<ReviewReportStatus, string>> = {
  waiting: '待处理',
  kept: '已保留',
  hidden: '已隐藏',
};
