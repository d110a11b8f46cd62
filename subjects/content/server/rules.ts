import type { StoredBlock } from '../rules/article.ts';

export const categoryNames = {
  notice: '公告',
  activity: '活动',
  guide: '指南',
  safety: '安全',
  rule: '规则',
  complaint: '投诉',
  about: '关于',
} as const;

export const caseKindNames = {
  recovered: '账号找回',
  fraud: '诈骗',
  fake_service: '假冒客服',
  private_trade: '站外交易',
  dispute: '交易争议',
  claim: '包赔理赔',
  other: '其他',
} as const;

/** The blocks of an article for the wire: pictures as URLs. */
export function blocksForWire(blocks: readonly StoredBlock[], urlOf: (key: string) => string) {
  return blocks.map((b) => (b.t === 'img' ? { t: b.t, url: urlOf(b.key), alt: b.alt } : b));
}
