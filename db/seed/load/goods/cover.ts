import { OrderStatus, orderGroups } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import type { ClaimReason } from '#subjects/guarantees/rules/guarantee.ts';
import { sha256 } from '#server/kernel/secrets/crypto.ts';
import { account, type Transfer } from '#subjects/ledger/server/rules.ts';
import { certificateText } from '#subjects/guarantees/server/covers.ts';
import { refreshMonths } from '#subjects/guarantees/server/fund.ts';
import { maskHolder } from '#subjects/guarantees/server/rules.ts';
import { lockedOrder, stopClocks } from '#subjects/orders/server/service.ts';
import { mixSeed } from '../../generate/random.ts';
import { columns, insertRows } from '../bulk.ts';
import type { PricedTrade } from '../trades/priced-trade.ts';
import { type Market, staffId } from '../market.ts';
import type { Dated } from '../money/money.ts';

const DAY = 1440;
const HOUR = 60;
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A certificate's number of the demo market; the real ones are random. */
function paperNo(seed: number, id: number): string {
  let out = '';
  for (let i = 0; i < 12; i++) out += LETTERS.charAt(mixSeed(seed, id, 300 + i) % LETTERS.length);
  return out;
}

interface CoverRow {
  id: string;
  holder: string;
  price: string;
  payout: string;
  terms: { name: string; coverText: string; exclusions: string[]; chaseDays: number };
  game: string;
  title: string;
  from: Date;
}

const PAPER_COLUMNS = columns(
  'no text, cover_id bigint, holder_seq smallint, body jsonb, body_hash bytea, issued_at timestamptz',
);

/** Stores the guarantee of every order that has one: its cover, its first holder, its certificate. Guarantees of cancelled orders are void. */
export async function storeCovers(market: Market): Promise<void> {
  await market.client.query(`
    insert into guarantee_cover (dist_id, tier_id, kind, order_id, goods_id, fingerprint, holder_id, price_fen, premium_fen, payout_max_fen, terms,
      status, starts_at, created_at)
    select o.dist_id, t.id, t.kind, o.id, o.goods_id,
      case when count(*) over (partition by g.fingerprint, t.kind) = 1 then g.fingerprint end, o.buyer_id, o.goods_fen,
      case t.kind when 'ensure' then o.ensure_fen else o.fix_ensure_fen end, o.goods_fen * t.payout_bp / 10000,
      jsonb_build_object('name', t.name, 'coverText', t.cover_text, 'exclusions', t.exclusions, 'chaseDays', t.chase_days, 'coverDays', t.cover_days,
        'version', t.version, 'reasons', t.reasons),
      case when o.status = ${OrderStatus.Completed} then 'active' when o.status in (${orderGroups.inProgress.join(', ')}) then 'waiting' else 'void' end, o.completed_at, o.paid_at
    from orders o join guarantee_tier t on t.id in (o.ensure_id, o.fix_ensure_id) left join goods g on g.id = o.goods_id
    where o.paid_at is not null order by o.id`);
  await market.client.query(`
    insert into guarantee_holder (cover_id, seq, user_id, order_id, from_at)
    select id, 1, holder_id, order_id, starts_at from guarantee_cover where starts_at is not null`);
  const { rows } = await market.client.query<CoverRow>(`
    select c.id::text, u.nick_name as holder, c.price_fen::text as price, c.payout_max_fen::text as payout, c.terms,
      o.snapshot->>'gameName' as game, o.snapshot->>'title' as title, c.starts_at as from
    from guarantee_cover c join app_user u on u.id = c.holder_id join orders o on o.id = c.order_id where c.starts_at is not null`);
  await insertRows(
    market.client,
    'guarantee_certificate',
    PAPER_COLUMNS,
    rows.map((r) => {
      const body = {
        tierName: r.terms.name,
        gameName: r.game,
        title: r.title,
        holder: maskHolder(r.holder),
        holderSeq: 1,
        priceFen: Number(r.price),
        payoutMaxFen: Number(r.payout),
        coverText: r.terms.coverText,
        exclusions: r.terms.exclusions,
        chaseDays: r.terms.chaseDays,
        from: r.from.toISOString(),
      };
      return [paperNo(market.seed, Number(r.id)), r.id, 1, body, sha256(certificateText(body)), r.from];
    }),
  );
}

interface ClaimSeed {
  orderId: number;
  status: 'checking' | 'chasing' | 'paid' | 'refused' | 'recovered';
  reason: ClaimReason;
  explain: string;
  /** Minutes before now. */
  openedAgo: number;
  decidedAgo?: number;
}

const EXPLAIN: Readonly<Partial<Record<ClaimReason, string>>> = {
  recovered: '今天上线提示密码错误，手机和邮箱都被换回去了，联系卖家没有回复。',
  face_refused: '登录时要求人脸核验，卖家说人在外地不方便，已经等了三天。',
  banned: '收到通知说买号之前的违规记录被追溯封禁，封禁时间早于交易。',
};

/** Returns the actions on a claim, from its steps. */
function stepsOf(
  c: ClaimSeed,
  chaseDays: number,
): [day: number, text: string, actor: 'user' | 'staff' | 'system', ago: number][] {
  const begun = c.openedAgo - 40;
  const steps: [number, string, 'user' | 'staff' | 'system', number][] = [
    [0, '提交理赔申请：账号被找回', 'user', c.openedAgo],
  ];
  if (c.status === 'checking') return steps;
  steps.push([1, '已受理：截图核实，开始联系卖家追回', 'staff', begun]);
  if (begun > DAY + HOUR)
    steps.push([2, '已电话联系卖家：对方称不知情，要求 24 小时内配合改回绑定', 'staff', begun - DAY]);
  if (begun > 4 * DAY + HOUR && c.status === 'chasing')
    steps.push([5, '卖家仍未配合改回绑定，货款继续冻结，期满按规则赔付或裁定', 'staff', begun - 4 * DAY]);
  const end = c.decidedAgo ?? 0;
  if (c.status === 'paid')
    steps.push([chaseDays, `${chaseDays} 天追索期满，未追回，自动赔付，赔付已到余额`, 'system', end]);
  if (c.status === 'refused')
    steps.push([3, '不予赔付，依据规则 5.2 包赔不保的情形：登录记录显示账号曾转借他人使用', 'staff', end]);
  if (c.status === 'recovered') steps.push([3, '账号已追回：卖家配合改回绑定，申请人确认可登录', 'staff', end]);
  return steps;
}

/** The demo buyer's own claims, and some of strangers, so that the fund's account and the back office's queue have a history. */
async function planClaims(market: Market, live: readonly PricedTrade[]): Promise<ClaimSeed[]> {
  const own = live.flatMap((p): ClaimSeed[] => {
    const same = { orderId: p.orderId, reason: 'recovered' as const, explain: EXPLAIN.recovered ?? '' };
    if (p.trade.trouble === 'chasing') return [{ ...same, status: 'chasing', openedAgo: 3 * DAY + 5 * HOUR }];
    if (p.trade.trouble === 'paid') return [{ ...same, status: 'paid', openedAgo: 40 * DAY, decidedAgo: 33 * DAY }];
    if (p.trade.trouble === 'refused')
      return [{ ...same, status: 'refused', openedAgo: 50 * DAY, decidedAgo: 48 * DAY }];
    return [];
  });
  const { rows } = await market.client.query<{ id: string }>(
    `select c.order_id::text as id from guarantee_cover c where c.status = 'active' and c.starts_at < $1 and not (c.order_id = any($2))
     order by md5(c.order_id::text) limit 16`,
    [market.ago(12 * DAY), live.map((p) => p.orderId)],
  );
  const kinds = [
    ...(['paid', 'paid', 'recovered', 'chasing', 'refused', 'chasing', 'paid', 'checking'] as const),
    ...(['paid', 'chasing', 'recovered', 'chasing', 'refused', 'chasing', 'paid', 'checking'] as const),
  ];
  // The demo buyer's own clock is on day 4 and the large one's on day 5, so that every day of seven can be seen.
  const days = [1, 2, 3, 6, 7];
  const reasons = ['recovered', 'recovered', 'face_refused', 'recovered', 'banned'] as const;
  const strangers = rows.map(({ id }, i): ClaimSeed => {
    const status = kinds[i % kinds.length] ?? 'paid';
    const reason = reasons[i % reasons.length] ?? 'recovered';
    const openedAgo =
      status === 'checking'
        ? 35 + i
        : status === 'chasing'
          ? ((days.shift() ?? 3) - 1) * DAY + 3 * HOUR
          : (9 + (i % 3)) * DAY;
    const lasted = status === 'paid' ? 7 * DAY : 2 * DAY + i * HOUR;
    const decided = status !== 'checking' && status !== 'chasing';
    return {
      orderId: Number(id),
      status,
      reason,
      explain: EXPLAIN[reason] ?? '',
      openedAgo,
      ...(decided && { decidedAgo: Math.max(30, openedAgo - lasted) }),
    };
  });
  // One above the limit of one person: its payout needs a second.
  const { rows: large } = await market.client.query<{ id: string }>(
    `select c.order_id::text as id from guarantee_cover c join orders o on o.id = c.order_id
     where c.status = 'active' and c.starts_at < $1 and not (c.order_id = any($2)) order by o.goods_fen desc, o.id limit 1`,
    [market.ago(12 * DAY), [...live.map((p) => p.orderId), ...strangers.map((c) => c.orderId)]],
  );
  const pending = large.map(
    ({ id }): ClaimSeed => ({
      orderId: Number(id),
      status: 'chasing',
      reason: 'recovered',
      explain: EXPLAIN.recovered ?? '',
      openedAgo: 4 * DAY + 3 * HOUR,
    }),
  );
  return [...own, ...strangers, ...pending];
}

interface Covered {
  id: string;
  user_id: string;
  dist_id: number;
  price: string;
  days: number;
}

/** A claim that runs: its cover, what the seller has not been paid yet, and its clock. */
async function run(market: Market, c: ClaimSeed, id: string, coverId: string, deadline: Date | null): Promise<void> {
  await market.client.query(`update guarantee_cover set status = 'claimed' where id = $1`, [coverId]);
  const stopped = await stopClocks(
    market.db,
    await lockedOrder(market.db, c.orderId),
    '买家申请了包赔理赔，货款等理赔结束后放出或收回（规则 5.3）',
  );
  await market.client.query('update guarantee_claim set stopped = $2 where id = $1', [id, stopped ?? {}]);
  await market.client.query('insert into timer (kind, ref, due_at) values ($1, $2, $3)', [
    c.status === 'checking' ? 'guarantee.look' : 'guarantee.pay',
    id,
    c.status === 'checking' ? market.ago(c.openedAgo - 120) : deadline,
  ]);
}

/** Setting `withdraw`, secondPersonFen: what the deadline pays by itself at most. */
const ONE_PERSON_FEN = 500_000;

/** Why the fund paid a claim of the past: its deadline, or two members of staff. */
async function releaseFund(
  market: Market,
  claim: { id: string; fen: number; ago: number; byDeadline: boolean },
): Promise<void> {
  const { id, fen, ago, byDeadline } = claim;
  if (byDeadline && fen <= ONE_PERSON_FEN) {
    await market.client.query(
      `insert into fund_release (code, ref, amount_fen, claim_id) values ('claim_paid', 'claim:' || $1::bigint, $2, $1)`,
      [id, fen],
    );
    return;
  }
  await market.client.query(
    `with two as (
       insert into approval (act, target, payload, amount_fen, reason, asked_by, decided_by, status, expires_at, created_at, decided_at)
       select 'claim.pay', 'claim:' || sn, '{}', $2, '核实无误，按保障赔付', $3, $4, 'allowed', $5, $5, $5 from guarantee_claim where id = $1 returning id)
     insert into fund_release (code, ref, amount_fen, approval_id) select 'claim_paid', 'claim:' || $1::text, $2, id from two`,
    [id, fen, staffId(market, 'kefu1'), staffId(market, 'admin'), market.ago(ago)],
  );
}

async function storeClaim(market: Market, c: ClaimSeed, staff: number): Promise<Dated[]> {
  const found = await market.client.query<Covered>(
    `select id::text, holder_id::text as user_id, dist_id, price_fen::text as price, (terms->>'chaseDays')::int as days from guarantee_cover where order_id = $1`,
    [c.orderId],
  );
  const cover = found.rows[0];
  if (!cover) return [];
  const fen = Number(cover.price);
  const chased = c.status === 'checking' ? null : market.ago(c.openedAgo - 40);
  const deadline = chased && new Date(chased.getTime() + cover.days * 86_400_000);
  const decided = c.decidedAgo === undefined ? null : market.ago(c.decidedAgo);
  const { rows } = await market.client.query<{ id: string }>(
    `insert into guarantee_claim (sn, dist_id, cover_id, user_id, order_id, reason, explain, asked_fen, paid_fen, status, staff_id, refusal, chase_days,
       first_look_by, chase_from, deadline_at, opened_at, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) returning id::text`,
    [
      `C${c.orderId}${String(mixSeed(market.seed, c.orderId, 97) % 1_000_000).padStart(6, '0')}`,
      cover.dist_id,
      cover.id,
      cover.user_id,
      c.orderId,
      c.reason,
      c.explain,
      fen,
      c.status === 'paid' ? fen : 0,
      c.status,
      c.status === 'checking' ? null : staff,
      c.status === 'refused' ? '规则 5.2 包赔不保的情形：登录记录显示账号曾转借他人使用' : null,
      cover.days,
      market.ago(c.openedAgo - 120),
      chased,
      deadline,
      market.ago(c.openedAgo),
      decided,
    ],
  );
  const id = rows[0]?.id ?? '';
  const actors = { user: `user:${cover.user_id}`, staff: `staff:${staff}`, system: 'system' };
  for (const [i, [day, text, actor, ago]] of stepsOf(c, cover.days).entries())
    await market.client.query(
      'insert into guarantee_claim_step (claim_id, seq, day, text, actor, created_at) values ($1, $2, $3, $4, $5, $6)',
      [id, i + 1, day, text, actors[actor], market.ago(ago)],
    );
  if (c.status === 'checking' || c.status === 'chasing') {
    await run(market, c, id, cover.id, deadline);
  }
  if (c.status !== 'paid') return [];
  await market.client.query(`update guarantee_cover set status = 'paid' where id = $1`, [cover.id]);
  await releaseFund(market, {
    id,
    ago: c.decidedAgo ?? 0,
    fen,
    byDeadline: deadline !== null && decided !== null && deadline <= decided,
  });
  const transfer: Transfer = {
    code: 'claim_paid',
    ref: `claim:${id}`,
    debit: account.platform('guarantee_fund', c.orderId),
    credit: account.available(Number(cover.user_id)),
    fen,
    dist: cover.dist_id,
    order: c.orderId,
  };
  return [{ at: decided ?? market.now, transfer }];
}

/** Claims in every state with their clocks and the fund's months. Returns the pay-outs' postings with their times. */
export async function storeClaims(market: Market, live: readonly PricedTrade[]): Promise<Dated[]> {
  const staff = staffId(market, 'kefu1');
  const paid: Dated[] = [];
  for (const claim of await planClaims(market, live)) paid.push(...(await storeClaim(market, claim, staff)));
  await refreshMonths(market.db);
  await sql`update timer set due_at = now() where kind = 'guarantee.daily'`.execute(market.db);
  return paid;
}
