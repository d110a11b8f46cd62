import { SwitchStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/disputes/contract/dispute.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { disputeForParty, disputesWhere, rulesInForce } from './queries.ts';
import { actionsOf, fieldsOf, type Party } from './rules.ts';
import { loadCase, itemOf, stateOf } from './view.ts';

/** Disputes of the caller's orders, opened by either party, newest first. */
export async function myDisputes(
  { ctx, user }: UserCall,
  input: Parsed<typeof c.disputeList>,
): Promise<HandlerResult<typeof c.disputeList>> {
  const size = input.pageSize ?? 20;
  const from = decodeId(input.cursor);
  const mine = sql`${user.id} in (o.buyer_id, o.seller_id)`;
  const state =
    input.state === undefined
      ? sql`true`
      : input.state === 'open'
        ? sql`d.status <> 'closed'`
        : sql`d.status = 'closed'`;
  const behind = from === undefined ? sql`` : sql`and d.id < ${from}`;
  const offset = from === undefined ? ((input.pages ?? 1) - 1) * size : 0;
  const rows = await disputesWhere(
    ctx.db,
    sql`${mine} and ${state} ${behind}`,
    sql`order by d.id desc limit ${size + 1} offset ${offset}`,
  );
  const counted = await sql<{ open: number; closed: number }>`
    select count(*) filter (where d.status <> 'closed')::int as open, count(*) filter (where d.status = 'closed')::int as closed
    from dispute d join orders o on o.id = d.order_id where ${mine}`.execute(ctx.db);
  const counts = counted.rows[0] ?? { open: 0, closed: 0 };
  const total = input.state === undefined ? counts.open + counts.closed : counts[input.state];
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    list: page.map((d) => itemOf(d, d.buyerId === user.id ? 'buyer' : 'seller')),
    counts,
    total: Math.min(total, 1000),
    totalCapped: total > 1000,
    next: rows.length > size && last ? encodeCursor([last.id]) : null,
  };
}

/** One dispute in full, for a party of its order. Throws DISPUTE_NOT_FOUND. */
export async function disputeFor(
  { ctx, user }: UserCall,
  { disputeSn }: Parsed<typeof c.disputeDetail>,
): Promise<HandlerResult<typeof c.disputeDetail>> {
  const d = await disputeForParty(ctx.db, disputeSn, user.id);
  if (!d) throw new AppError('DISPUTE_NOT_FOUND');
  const party: Party = d.buyerId === user.id ? 'buyer' : 'seller';
  const now = new Date();
  const actions = actionsOf(stateOf(d), party, now);
  return {
    ...(await loadCase(ctx, d, party, now)),
    form: actions.includes('answer') ? fieldsOf(d.form, party) : null,
    evidenceHint: d.evidenceHint,
    acts: actions,
  };
}

interface RulingRow {
  id: number;
  game: string;
  type: number;
  reason: string;
  goodsFen: number;
  backFen: number;
  stage: number;
  text: string | null;
  day: string;
  rules: { no: string; title: string; body: string }[];
}

/** The price rounded, so that a public ruling cannot be matched with an order by its amount. */
const rounded = (fen: number): number =>
  fen < 10_000 ? Math.ceil(fen / 1000) * 1000 : Math.round(fen / 10_000) * 10_000;

/** Final rulings that were carried out, newest first, without names or order numbers. */
export async function publicRulings(
  { ctx }: Call,
  input: Parsed<typeof c.rulingList>,
): Promise<HandlerResult<typeof c.rulingList>> {
  const size = input.pageSize ?? 20;
  const from = decodeId(input.cursor);
  const parts = [
    sql`d.status = 'closed' and d.outcome = 'ruled'`,
    sql`not exists (select from dispute_ruling n where n.dispute_id = u.dispute_id and n.stage > u.stage)`,
  ];
  if (input.ruleNo)
    parts.push(
      sql`exists (select from dispute_ruling_rule k where k.ruling_id = u.id and k.rule_no = ${input.ruleNo})`,
    );
  if (input.reason) parts.push(sql`d.reason_code = ${input.reason}`);
  if (input.gameId !== undefined) parts.push(sql`o.game_id = ${input.gameId}`);
  if (input.keyWord !== undefined)
    parts.push(sql`position(${input.keyWord} in coalesce(u.public_text, '') || r.name) > 0`);
  const where = sql.join(parts, sql` and `);
  const FROM = sql`dispute_ruling u join dispute d on d.id = u.dispute_id join orders o on o.id = d.order_id join dispute_reason r on r.code = d.reason_code`;
  const { rows } = await sql<RulingRow>`
    select u.id, coalesce(o.snapshot->>'gameName', '') as game, o.type_id as type, r.name as reason, o.goods_fen as "goodsFen", u.back_fen as "backFen",
      u.stage, u.public_text as text, to_char(coalesce(d.closed_at, u.created_at) at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day,
      (select coalesce(jsonb_agg(jsonb_build_object('no', p.no, 'title', p.title, 'body', p.body) order by p.no), '[]')
        from dispute_ruling_rule k join platform_rule p on p.no = k.rule_no and p.version = k.rule_version where k.ruling_id = u.id) as rules
    from ${FROM} where ${where} ${from === undefined ? sql`` : sql`and u.id < ${from}`}
    order by u.id desc limit ${size + 1} offset ${from === undefined ? ((input.pages ?? 1) - 1) * size : 0}`.execute(
    ctx.db,
  );
  const counted = await sql<{
    n: number;
  }>`select count(*)::int as n from (select from ${FROM} where ${where} limit 1001) c`.execute(ctx.db);
  const reasons = await sql<{
    code: string;
    name: string;
  }>`select code, name from dispute_reason where status = ${sql.lit(SwitchStatus.On)} order by sort`.execute(ctx.db);
  const page = rows.slice(0, size);
  const last = page.at(-1);
  const n = counted.rows[0]?.n ?? 0;
  return {
    list: page.map((r) => {
      const percent = Math.round((r.backFen / r.goodsFen) * 100);
      return {
        rulingId: r.id,
        gameName: r.game,
        orderTypeName: orderTypeName(r.type),
        reasonName: r.reason,
        price: rounded(r.goodsFen),
        refundPercent: percent,
        stage: r.stage,
        text: r.text ?? plainText(r.reason, percent),
        rules: r.rules,
        day: r.day,
      };
    }),
    reasons: reasons.rows,
    total: Math.min(n, 1000),
    totalCapped: n > 1000,
    next: rows.length > size && last ? encodeCursor([last.id]) : null,
  };
}

/** The default text of a public ruling, used when staff wrote none. */
const plainText = (reason: string, percent: number): string =>
  percent === 0
    ? `以「${reason}」申诉，现有证据不足以支持退款，驳回。`
    : percent >= 100
      ? `以「${reason}」申诉，证据成立，全额退款。`
      : `以「${reason}」申诉，部分成立，按商品价的 ${percent}% 退款。`;

/** The numbered public rules in force. */
export async function publicRules({ ctx }: Call): Promise<HandlerResult<typeof c.ruleBook>> {
  return { list: await rulesInForce(ctx.db) };
}
