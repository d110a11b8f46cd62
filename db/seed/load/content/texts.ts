import { type Market, staffId } from '../market.ts';

const DAY = 1440;

/** Versions of public rules in addition to the shipped ones: one in force, one planned. */
const RULES: readonly { no: string; title: string; body: string; days: number; reason: string }[] = [
  {
    no: '4.2',
    title: '超时未答复',
    body: '被申诉方超时未答复的，平台按现有证据裁决；超时后补交的证据只在上诉时采用。',
    days: -20,
    reason: '补充超时后补交证据怎么处理',
  },
  {
    no: '2.2',
    title: '数量不足按比例退款',
    body: '游戏币、道具数量不足的，按未到账数量的比例退款；一件都没有到账的，全额退款。到账数量以游戏内邮件或交易记录为准。',
    days: 9,
    reason: '写明到账数量以什么为准',
  },
];

/** Blocked words with their number of hits. */
const WORDS = [
  ['代开发票', 'refuse', '常见诈骗', 3],
  ['外挂', 'refuse', '违反游戏协议', 11],
  ['刷单', 'mask', '', 6],
  ['加速器免费送', 'mask', '引流', 2],
  ['代实名', 'review', '可能涉及未成年人', 5],
  ['黑卡充值', 'review', '来源不明的充值', 4],
] as const;

/** Texts that staff have changed: of a notice, of public rules, and a draft of an agreement. */
export async function storeTexts(market: Market): Promise<void> {
  const author = staffId(market, 'neirong');
  const { rows } = await market.client.query<{ link: string | null }>(
    `select link from notice_template where kind = 'order.paid' and channel = 'site' order by version limit 1`,
  );
  await market.client.query(
    `insert into notice_template (kind, channel, version, title, body, link, vendor_template, reason, created_by, created_at)
     values ('order.paid', 'sms', 1, '有新订单', '{goods}已付款{amount}元，请在{deadline}前发货', $1, null, '短信写短一些，按一条计费', $2, $3)
     on conflict do nothing`,
    [rows[0]?.link ?? null, author, market.ago(12 * DAY)],
  );
  for (const { no, title, body, days, reason } of RULES)
    await market.client.query(
      `insert into platform_rule (no, version, title, body, in_force_from, reason, created_by, created_at)
       values ($1, 2, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [no, title, body, market.ago(-days * DAY), reason, author, market.ago(Math.max(1, -days + 1) * DAY)],
    );
  await market.client.query(
    `insert into rule_draft (key, title, body, staff_id, updated_at)
     values ('rule:3.3', '代练进度', '代练每两小时上传一张进度图；连续两次没有上传的，买家可以取消并按已完成的部分结算。', $1, $2) on conflict do nothing`,
    [author, market.ago(2 * DAY)],
  );
  for (const [word, level, note, hits] of WORDS)
    await market.client.query(
      `insert into blocked_word (word, plain, level, note, hits, last_hit_at, created_by, created_at)
       values ($1, $1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [word, level, note, hits, market.ago(hits * 97), author, market.ago(30 * DAY)],
    );
}
