import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { lossPenalty, rulingOutcome } from '#subjects/disputes/rules/ruling.ts';
import type { Context } from '#server/context.ts';
import {
  executeRuling,
  lockedOrder,
  type OrderTerms,
  resumeClocks,
  stopClocks,
} from '#subjects/orders/server/service.ts';
import { mixSeed } from '../../generate/random.ts';
import type { PricedTrade } from './priced-trade.ts';
import { type Market, staffId } from '../market.ts';

const DAY = 1440;
const HOUR = 60;

/** How far a dispute of the demo market has come. */
type Stage = 'open' | 'answering' | 'evidence' | 'second' | 'ruled' | 'appealed' | 'part' | 'withdrawn';
const STAGES: readonly string[] = ['open', 'answering', 'evidence', 'second', 'ruled', 'appealed', 'part', 'withdrawn'];

interface Case {
  orderId: number;
  stage: Stage | 'closed';
  reason: string;
  want: string;
  wantFen: number;
  buyerText: string;
  buyerAnswers: Record<string, string>;
  sellerText: string;
  sellerAnswers: Record<string, string>;
  openedAgo: number;
}

/** The complaint and the answer of a demo case, by the type of its goods. */
function storyOf(typeId: number, goodsFen: number): Omit<Case, 'orderId' | 'stage' | 'openedAgo'> {
  if (typeId === OrderType.Account || typeId === OrderType.Consigned)
    return {
      reason: 'not_as_described',
      want: 'part_refund',
      wantFen: Math.max(100, Math.floor(goodsFen / 400) * 100),
      buyerText: '上号后发现有两款限定皮肤是体验卡，已经过期了，详情页写的是永久。',
      buyerAnswers: { field: '限定皮肤数量', found: '少两款，显示已过期' },
      sellerText: '上架时皮肤还在，可能是活动体验到期，愿意协商退一部分。',
      sellerAnswers: { answer: '上架时未注意到是体验卡' },
    };
  return {
    reason: 'short_delivered',
    want: 'part_refund',
    wantFen: Math.max(100, Math.floor(goodsFen / 300) * 100),
    buyerText: '只收到三分之二，邮件和仓库都看过了，剩下的一直没有到。',
    buyerAnswers: { received: '约三分之二' },
    sellerText: '全部走邮寄发出，可能有一封在系统延迟，愿意核对。',
    sellerAnswers: { sent: '全部' },
  };
}

interface Statements {
  rules: readonly string[];
  reason: string;
  text: string;
}

/** The ruling of a case of a live order, by the type of its goods. */
const statementsOf = (typeId: number): Statements =>
  typeId === OrderType.Account || typeId === OrderType.Consigned
    ? {
        rules: ['2.1', '4.1'],
        reason:
          '平台核对了群聊、换绑记录和双方截图：描述写明为永久，实际已过期，影响价值但不影响使用，按不符部分占价格的比例退款。',
        text: '账号描述写明限定皮肤为永久，实际为已过期的体验卡。核对上架存档与游戏内截图后，按不符部分占价格的比例退款，账号由买家保留。',
      }
    : {
        rules: ['2.2', '4.1'],
        reason: '买家的到账记录显示只收到约三分之二，卖家没有提供其余部分的发货记录，按未到账数量的比例退款。',
        text: '到账记录显示数量不足约三分之一，卖家没有其余部分的发货记录，按未到账数量的比例退款。',
      };

/** Cases of the past, each with its complaint and its ruling. */
const PAST: readonly (Statements & {
  all: boolean;
  code: string;
  answers: Record<string, string>;
  complaint: string;
})[] = [
  {
    all: true,
    code: 'handover',
    answers: { step: '换绑手机' },
    complaint: '换绑手机一直收不到原手机的验证码，卖家三天没有回复。',
    rules: ['2.4', '4.2'],
    reason: '卖家未在时限内完成必要的换绑，也没有提供证据，按规则全额退款。',
    text: '卖家未完成必要的换绑步骤，答复期内没有提供任何证据，全额退款。',
  },
  {
    all: true,
    code: 'real_name',
    answers: { state: '显示他人实名，未满 18 岁' },
    complaint: '登录后发现账号是未成年人实名，每天只能玩一个小时，详情没有说明。',
    rules: ['2.5'],
    reason: '截图显示账号有防沉迷限制，上架信息没有说明，影响正常使用，全额退款。',
    text: '账号存在未成年人实名与防沉迷限制，上架时没有说明，影响正常使用，全额退款。',
  },
  {
    all: false,
    code: 'not_as_described',
    answers: { field: '英雄数量', found: '少 1 个' },
    complaint: '英雄数量和描述差一个，希望退款。',
    rules: ['2.1', '4.1'],
    reason: '买家主张与描述不符，但下单存档与游戏内截图一致，现有证据不足以支持退款。',
    text: '买家主张与描述不符。下单时存档的截图与游戏内一致，证据不足，驳回申诉，交易成立。',
  },
  {
    all: false,
    code: 'not_as_described',
    answers: { field: '段位', found: '低一档' },
    complaint: '登录后段位比详情低了一档。',
    rules: ['2.1', '4.1'],
    reason: '验号记录的段位与描述一致，交付之后新赛季开始，段位按游戏规则回落，不属于描述不符。',
    text: '验号时段位与描述一致，交付后新赛季开始，段位由游戏统一回落，不属于描述不符，交易成立。',
  },
  {
    all: false,
    code: 'handover',
    answers: { step: '清理好友与亲密关系' },
    complaint: '还有一个亲密关系没有解除。',
    rules: ['2.4', '4.1'],
    reason: '游戏规定解除亲密关系有 3 天等待期，卖家在交付时已提交解除并上传截图，到期已自动解除。',
    text: '卖家交付时已提交解除亲密关系，游戏有 3 天等待期，到期已解除，换绑步骤均已完成，交易成立。',
  },
];

/** The initial values of rule 8.3 (setting 'deposit'). */
const LOSS = { lossBp: 500, lossMinFen: 1000, lossMaxFen: 50_000 };

/** A context with the database and the settings only, which is all that carrying out a ruling uses. */
async function loadContext(market: Market): Promise<Context> {
  const { rows } = await market.client.query<{ key: string; value: unknown }>(
    'select distinct on (key) key, value from setting order by key, version desc',
  );
  const ruleTexts = new Map(rows.map(({ key, value }) => [key, value]));
  return { db: market.db, dir: { setting: (key: string) => ruleTexts.get(key) } } as unknown as Context;
}

/** Stores a case up to its present state, step by step as it happened. */
class CaseWriter {
  readonly market: Market;
  readonly staff: number;
  id = 0;

  constructor(market: Market) {
    this.market = market;
    this.staff = staffId(market, 'kefu1');
  }

  async run(text: string, values: unknown[]): Promise<void> {
    await this.market.client.query(text, values);
  }

  async event(kind: string, actor: string, explain: string, ago: number): Promise<void> {
    await this.run(
      'insert into dispute_event (dispute_id, kind, actor, explain, created_at) values ($1, $2, $3, $4, $5)',
      [this.id, kind, actor, explain, this.market.ago(ago)],
    );
  }

  async statement(belong: number, userId: number, answers: object, text: string, ago: number): Promise<void> {
    await this.run(
      `insert into dispute_statement (dispute_id, belong, user_id, kind, answers, text, created_at) values ($1, $2, $3, 'form', $4, $5, $6)`,
      [this.id, belong, userId, JSON.stringify(answers), text, this.market.ago(ago)],
    );
  }

  async timer(kind: string, ago: number): Promise<void> {
    await this.run('insert into timer (kind, ref, due_at) values ($1, $2, $3) on conflict do nothing', [
      kind,
      String(this.id),
      this.market.ago(ago),
    ]);
  }

  async ruling(
    stage: number,
    staff: number,
    order: OrderTerms,
    backFen: number,
    ago: number,
    statements: Statements,
    fault = false,
  ): Promise<void> {
    const { buyerFen, sellerFen } = rulingOutcome(
      order,
      order.status === OrderStatus.ClosedByPlatform ? 2 : order.status,
      backFen,
    );
    const { rows } = await this.market.client.query<{ id: string }>(
      `insert into dispute_ruling (dispute_id, stage, staff_id, back_fen, refund_fen, release_fen, reason, public_text, created_at, penalty_fen, penalty_user)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id::text`,
      [
        this.id,
        stage,
        staff,
        backFen,
        buyerFen,
        sellerFen,
        statements.reason,
        statements.text,
        this.market.ago(ago),
        fault ? lossPenalty(order.goodsFen, backFen, LOSS) : 0,
        fault ? order.sellerId : null,
      ],
    );
    for (const no of statements.rules)
      await this.run('insert into dispute_ruling_rule (ruling_id, rule_no, rule_version) values ($1, $2, 1)', [
        rows[0]?.id,
        no,
      ]);
  }
}

async function open(t: CaseWriter, order: OrderTerms, c: Case, stopped: object): Promise<void> {
  const { market } = t;
  const coin = order.typeId === OrderType.Coin || order.typeId === OrderType.Ingots || order.typeId === OrderType.Items;
  const isTriaged = c.stage !== 'open';
  const { rows } = await market.client.query<{ id: string }>(
    `insert into dispute (sn, dist_id, order_id, opener_id, opener_belong, reason_code, want, want_fen, staff_id, first_look_by, first_look_at, answer_by,
       rule_by, opened_at, stopped, status)
     values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'open') returning id::text`,
    [
      `D${order.id}${String(mixSeed(market.seed, order.id, 98) % 1_000_000).padStart(6, '0')}`,
      order.distId,
      order.id,
      order.buyerId,
      c.reason,
      c.want,
      c.wantFen,
      isTriaged ? t.staff : null,
      market.ago(c.openedAgo - 15),
      isTriaged ? market.ago(c.openedAgo - 9) : null,
      market.ago(c.openedAgo - (coin ? 2 * HOUR : DAY)),
      market.ago(c.openedAgo - 2 * DAY),
      market.ago(c.openedAgo),
      JSON.stringify(stopped),
    ],
  );
  t.id = Number(rows[0]?.id);
  await t.statement(1, order.buyerId, c.buyerAnswers, c.buyerText, c.openedAgo);
  await t.event('opened', `user:${order.buyerId}`, '买家发起申诉', c.openedAgo);
  if (isTriaged) await t.event('looked', `staff:${t.staff}`, '客服已受理', c.openedAgo - 9);
}

async function storeReply(t: CaseWriter, order: OrderTerms, c: Case): Promise<void> {
  await t.run(`update dispute set status = 'evidence' where id = $1`, [t.id]);
  await t.statement(0, order.sellerId, c.sellerAnswers, c.sellerText, c.openedAgo - 50);
  await t.event('answered', `user:${order.sellerId}`, '卖家已答复，进入裁决', c.openedAgo - 50);
}

async function rule(t: CaseWriter, order: OrderTerms, c: Case): Promise<void> {
  await t.ruling(1, t.staff, order, c.wantFen, c.openedAgo - 3 * HOUR, statementsOf(order.typeId), true);
  await t.run(`update dispute set status = 'ruled', appeal_until = $2 where id = $1`, [
    t.id,
    t.market.ago(c.openedAgo - 3 * HOUR - DAY),
  ]);
  await t.event('ruled', `staff:${t.staff}`, '裁决：按不符部分退款', c.openedAgo - 3 * HOUR);
}

/** Stores one case of a live order, from its opening to its present state. */
async function storeDispute(market: Market, c: Case, ctx: Context): Promise<void> {
  const order = await lockedOrder(market.db, c.orderId);
  const stopped = await stopClocks(market.db, order, '申诉处理中，结案后按结果放款或退回');
  if (!stopped) return;
  const t = new CaseWriter(market);
  await open(t, order, c, stopped);
  if (c.stage === 'open') {
    await t.timer('dispute.look', c.openedAgo - 15);
    await t.timer('dispute.answer', c.openedAgo - 2 * HOUR);
    return await t.timer('dispute.rule', c.openedAgo - 2 * DAY);
  }
  if (c.stage === 'withdrawn') {
    await resumeClocks(market.db, order, stopped);
    await t.run(`update dispute set status = 'closed', outcome = 'withdrawn', closed_at = $2 where id = $1`, [
      t.id,
      market.ago(c.openedAgo - 90),
    ]);
    return await t.event('withdrawn', `user:${order.buyerId}`, '买家撤回申诉，订单继续，计时恢复', c.openedAgo - 90);
  }
  if (c.stage === 'answering') {
    await t.run(`update dispute set status = 'answering' where id = $1`, [t.id]);
    await t.timer('dispute.answer', c.openedAgo - DAY);
    return await t.timer('dispute.rule', c.openedAgo - 2 * DAY);
  }
  await storeReply(t, order, c);
  if (c.stage === 'evidence' || c.stage === 'second') return await t.timer('dispute.rule', c.openedAgo - 2 * DAY);
  await rule(t, order, c);
  if (c.stage === 'ruled') return await t.timer('dispute.execute', c.openedAgo - 3 * HOUR - DAY);
  if (c.stage === 'appealed') {
    await t.run('insert into dispute_appeal (dispute_id, user_id, reason, created_at) values ($1, $2, $3, $4)', [
      t.id,
      order.sellerId,
      '皮肤是官方活动赠送，到期时间不由我控制，退款比例过高，请重新裁决。',
      market.ago(c.openedAgo - 5 * HOUR),
    ]);
    await t.run(`update dispute set status = 'appealed', rule_by = $2 where id = $1`, [
      t.id,
      market.ago(c.openedAgo - 5 * HOUR - 2 * DAY),
    ]);
    await t.event('appealed', `user:${order.sellerId}`, '卖家上诉，由另一位工作人员重新裁决', c.openedAgo - 5 * HOUR);
    return await t.timer('dispute.rule', c.openedAgo - 5 * HOUR - 2 * DAY);
  }
  const why = {
    actor: 'timer',
    by: 'ruled' as const,
    note: `依据平台规则 ${statementsOf(order.typeId).rules.join('、')}`,
    stopped,
  };
  const done = await executeRuling(ctx, market.db, order, c.wantFen, why);
  await t.run(
    `update dispute set status = 'closed', outcome = 'ruled', closed_at = $2, back_fen = $3, refunded_fen = $4, to_seller_fen = $5, owed_fen = $6 where id = $1`,
    [t.id, market.ago(c.openedAgo - 4 * HOUR), c.wantFen, done.buyerFen, done.sellerFen, done.owedFen],
  );
  await t.event('closed', 'timer', '申诉结案，款项已按结果处理', c.openedAgo - 4 * HOUR);
}

/** Stores a case of a finished order. The order's postings show the outcome: everything refunded, or nothing. */
async function storePastDispute(market: Market, orderId: number, all: boolean, endedAgo: number): Promise<void> {
  const order = await lockedOrder(market.db, orderId);
  const t = new CaseWriter(market);
  const backFen = all ? order.goodsFen : 0;
  const pastCases = PAST.filter((p) => p.all === all);
  const statements = pastCases[orderId % pastCases.length];
  if (!statements) return;
  const c: Case = {
    orderId,
    stage: 'closed',
    reason: statements.code,
    want: 'refund',
    wantFen: order.goodsFen,
    buyerText: statements.complaint,
    buyerAnswers: statements.answers,
    sellerText: '情况属实与否请平台核对记录。',
    sellerAnswers: statements.answers,
    openedAgo: endedAgo + DAY + 5 * HOUR,
  };
  await open(t, order, c, {});
  await storeReply(t, order, c);
  await t.ruling(1, t.staff, order, backFen, endedAgo + DAY, statements);
  await t.run(`update dispute set status = 'ruled', appeal_until = $2 where id = $1`, [t.id, market.ago(endedAgo)]);
  await t.run(
    `update dispute set status = 'closed', outcome = 'ruled', closed_at = $2, back_fen = $3, refunded_fen = $4, to_seller_fen = $5 where id = $1`,
    [t.id, market.ago(endedAgo), backFen, all ? order.totalFen : 0, all ? 0 : order.goodsFen - order.commissionFen],
  );
  await t.event('closed', 'timer', '申诉结案，款项已按结果处理', endedAgo);
}

const AGO: Readonly<Record<Stage, number>> = {
  open: 4,
  answering: 3 * HOUR,
  evidence: 9 * HOUR,
  second: 11 * HOUR,
  ruled: 14 * HOUR,
  appealed: 20 * HOUR,
  part: 40 * HOUR,
  withdrawn: 30 * HOUR,
};

/** Stores disputes in every state between the demo buyer and the demo seller, and closed ones between other users. */
export async function storeDisputes(market: Market, live: readonly PricedTrade[]): Promise<void> {
  const ctx = await loadContext(market);
  const past = await market.client.query<{ id: string; all: boolean }>(
    `(select id::text, true as all from orders where status = ${OrderStatus.ClosedByPlatform} and type_id in (${OrderType.Account}, ${OrderType.Consigned}) order by id limit 9)
     union all (select id::text, false from orders where status = ${OrderStatus.Completed} and type_id in (${OrderType.Account}, ${OrderType.Consigned}) and completed_at < $1 order by md5(id::text) limit 7)`,
    [market.ago(20 * DAY)],
  );
  for (const [i, { id, all }] of past.rows.entries())
    await storePastDispute(market, Number(id), all, (8 + (past.rows.length - i) * 3) * DAY);
  for (const p of live) {
    const stage = p.trade.trouble;
    if (stage === undefined || !STAGES.includes(stage)) continue;
    const story = storyOf(p.terms.typeId, p.terms.goodsFen);
    const current = stage as Stage;
    // A ruling pending a second person refunds the whole price.
    const fullRefund = current === 'second' ? { want: 'refund', wantFen: p.terms.goodsFen } : {};
    await storeDispute(
      market,
      { ...story, ...fullRefund, orderId: p.orderId, stage: current, openedAgo: AGO[current] },
      ctx,
    );
  }
}
