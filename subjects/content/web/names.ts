import type { businessKinds, caseKinds, newsCategories } from '#subjects/content/contract/content.ts';

/** Labels of the article categories. */
export const CATEGORY_NAMES: Readonly<Record<(typeof newsCategories)[number], string>> = {
  notice: '公告',
  activity: '活动',
  guide: '指南',
  safety: '安全',
  rule: '规则',
  complaint: '投诉',
  about: '关于',
};

/** Labels of the case types. */
export const CASE_NAMES: Readonly<Record<(typeof caseKinds)[number], string>> = {
  recovered: '账号找回',
  fraud: '诈骗',
  fake_service: '假冒客服',
  private_trade: '站外交易',
  dispute: '交易争议',
  claim: '包赔理赔',
  other: '其他',
};

/** Labels of the co-operation types. */
export const BUSINESS_NAMES: Readonly<Record<(typeof businessKinds)[number], string>> = {
  distributor: '分销商',
  shop: '商家店铺',
  recycling: '回收商',
  studio: '代练陪玩工作室',
  media: '媒体与主播',
  new_game: '新游合作',
  other: '其他',
};
