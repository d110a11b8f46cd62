/** Reads one world from the market's tables in one query. */
import type pg from 'pg';
import { type Services, SERVICES_QUERY } from './snapshot-services.ts';

export interface HandoverStep {
  step: number;
  key: string;
  actor: 'seller' | 'buyer' | 'staff';
  beforeShip: boolean;
  required: boolean;
  secret: boolean;
  done: boolean;
}

export interface Order {
  id: number;
  sn: string;
  distId: number;
  typeId: number;
  goodsId: number | null;
  buyerId: number;
  sellerId: number;
  staffId: number | null;
  status: number;
  goodsFen: number;
  /** The refundable part of the price: all except an inspection's deduction. */
  refundableFen: number;
  totalFen: number;
  disputed: boolean;
  late: boolean;
  touched: boolean;
  /** The time to confirm ran out over open steps of others; the buyer was notified of what is missing. */
  stopped: boolean;
  cancelAsked: boolean;
  buyerOpened: boolean;
  covered: boolean;
  sealed: boolean;
  held: boolean;
  /** It has ended, and its protection is over. */
  released: boolean;
  shareFen: number;
  rewardFen: number;
  steps: HandoverStep[];
}
export interface Dispute {
  id: number;
  sn: string;
  orderId: number;
  status: string;
  /** 1 = the buyer opened it. */
  belong: number;
  want: string;
  stage: number;
  backFen: number | null;
  /** The part of the goods' price refunded on closing; 0 before. */
  endedFen: number;
  answered: boolean;
  accepted: { buyer: boolean; seller: boolean };
  appealOpen: boolean;
}
export interface Claim {
  id: number;
  sn: string;
  orderId: number;
  coverId: number;
  userId: number;
  reason: string;
  askedFen: number;
  status: string;
}
export interface Cover {
  id: number;
  orderId: number;
  goodsId: number | null;
  holderId: number;
  kind: string;
  priceFen: number;
  maxFen: number;
  status: string;
}
export interface State {
  now: Date;
  orders: Order[];
  /** `passwordDue`: another person has seen the password, and the seller has not said that it was changed. */
  goods: { id: number; status: number; sellerId: number; passwordDue: boolean }[];
  disputes: Dispute[];
  claims: Claim[];
  covers: Cover[];
  settlements: { sn: string; status: number; fen: number }[];
  holds: { id: number; userId: number; orderId: number | null; fen: number }[];
  withdrawals: { sn: string; userId: number; status: number }[];
}

const ORDERS = `select json_agg(json_build_object('id', o.id, 'sn', o.sn, 'distId', o.dist_id, 'typeId', o.type_id, 'goodsId', o.goods_id,
    'buyerId', o.buyer_id, 'sellerId', o.seller_id, 'staffId', o.staff_id, 'status', o.status, 'goodsFen', o.goods_fen, 'refundableFen', o.goods_fen - case when o.status = 3 then o.cut_fen else 0 end, 'totalFen', o.total_fen,
    'disputed', o.disputed, 'late', coalesce(o.ship_by < now(), false), 'touched', o.touched_at is not null, 'stopped', o.confirm_stopped_at is not null,
    'cancelAsked', o.cancel_asked_at is not null, 'buyerOpened', o.buyer_opened_at is not null, 'covered', o.ensure_id > 0 or o.fix_ensure_id > 0,
    'sealed', exists (select from sealed_credential s where s.order_id = o.id and s.from_user = o.seller_id),
    'released', o.status in (3, 9) and not exists (select from hold h where h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is null),
    'shareFen', o.dist_share_fen, 'rewardFen', o.invite_reward_fen, 'held', exists (select from hold h where h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is null),
    'steps', coalesce((select json_agg(json_build_object('step', h.step, 'key', h.key, 'actor', h.actor, 'beforeShip', h.before_ship,
      'required', h.required, 'secret', h.secret, 'done', h.done_at is not null) order by h.step) from order_handover h where h.order_id = o.id), '[]'))
    order by o.id) from orders o where o.buyer_id = any($1::bigint[]) or o.seller_id = any($1::bigint[])`;
const DISPUTES = `select json_agg(json_build_object('id', d.id, 'sn', d.sn, 'orderId', d.order_id, 'status', d.status, 'belong', d.opener_belong,
    'want', d.want, 'stage', (select count(*) from dispute_ruling r where r.dispute_id = d.id), 'backFen', (select r.back_fen from dispute_ruling r
      where r.dispute_id = d.id order by r.id desc limit 1), 'endedFen', case when d.status = 'closed' then coalesce(d.back_fen, 0) else 0 end, 'answered', exists (select from dispute_statement s where s.dispute_id = d.id and s.belong <> d.opener_belong),
    'accepted', json_build_object('buyer', d.buyer_accepted_at is not null, 'seller', d.seller_accepted_at is not null),
    'appealOpen', coalesce(d.appeal_until > now(), false) and not exists (select from dispute_appeal a where a.dispute_id = d.id)) order by d.id)
  from dispute d join orders o on o.id = d.order_id where o.buyer_id = any($1::bigint[]) or o.seller_id = any($1::bigint[])`;
const CLAIMS = `select json_agg(json_build_object('id', k.id, 'sn', k.sn, 'orderId', k.order_id, 'coverId', k.cover_id, 'userId', k.user_id,
    'reason', k.reason, 'askedFen', k.asked_fen, 'status', k.status) order by k.id) from guarantee_claim k where k.user_id = any($1::bigint[])`;
const COVERS = `select json_agg(json_build_object('id', c.id, 'orderId', c.order_id, 'goodsId', c.goods_id, 'holderId', c.holder_id, 'kind', c.kind,
    'priceFen', c.price_fen, 'maxFen', c.payout_max_fen, 'status', c.status) order by c.id) from guarantee_cover c where c.holder_id = any($1::bigint[])`;
const GOODS = `select json_agg(json_build_object('id', g.id, 'status', g.status, 'sellerId', g.seller_id,
    'passwordDue', g.password_due_at is not null) order by g.id) from goods g where g.seller_id = any($1::bigint[])`;
const SETTLEMENTS = `select json_agg(json_build_object('sn', x.sn, 'status', x.status, 'fen', x.amount_fen) order by x.id) from dist_settlement x where x.dist_id = $2::int and x.status = 0`;
const HOLDS = `select json_agg(json_build_object('id', h.id, 'userId', h.user_id, 'fen', h.amount_fen,
    'orderId', case when h.code = 'sale_protection' then h.ref::bigint end) order by h.id) from hold h where h.user_id = any($1::bigint[]) and h.released_at is null`;
const WITHDRAWALS = `select json_agg(json_build_object('sn', w.sn, 'userId', w.user_id, 'status', w.status) order by w.id) from withdrawal w where w.user_id = any($1::bigint[])`;

const PARTS = {
  orders: ORDERS,
  disputes: DISPUTES,
  claims: CLAIMS,
  covers: COVERS,
  goods: GOODS,
  settlements: SETTLEMENTS,
  holds: HOLDS,
  withdrawals: WITHDRAWALS,
};
const SNAPSHOT = `select ${Object.entries(PARTS)
  .map(([name, query]) => `coalesce((${query}), '[]') as ${name}`)
  .join(', ')}, now() as now`;

const MINE = 'select o.id from orders o where o.buyer_id = any($1::bigint[]) or o.seller_id = any($1::bigint[])';
const NEXT = `select extract(epoch from at - now())::float8 as seconds, what from (
    select due_at as at, kind || ':' || ref as what from timer where kind ~ '^(order|hold|share|service)' and kind <> 'service.proof' and ref in (select id::text from (${MINE}) m)
      and not (kind ~ '^service' and ref in (select o.id::text from orders o where o.disputed and o.id in (${MINE})))
    union all select due_at, kind || ':' || ref from timer where kind like 'dispute.%' and ref in (select id::text from dispute where order_id in (${MINE}))
    union all select due_at, kind || ':' || ref from timer where kind like 'guarantee.%' and ref in (select id::text from guarantee_claim where user_id = any($1::bigint[]))
    union all select due_at, kind || ':' || ref from timer where kind = 'recycle.due' and ref in (select id::text from recycle_request where user_id = any($1::bigint[]))
    union all select due_at, kind || ':' || ref from timer where kind = 'boost.expire' and ref in (select id::text from boost_request where buyer_id = any($1::bigint[]))
    union all select due_at, kind || ':' || ref from timer where kind = 'inspection.due' and ref in (select t.id::text from inspection_task t join goods g on g.id = t.goods_id where g.seller_id = any($1::bigint[]))
    union all select due_at, kind || ':' || ref from timer where kind like 'deposit.%' and ref in (select id::text from deposit_release where user_id = any($1::bigint[]))
    union all select ship_by, 'ship:' || id from orders where id in (${MINE}) and status = 1 and ship_by > now() and not disputed
  ) x order by at limit 1`;

/** Looks at worlds, over a separate connection that keeps its plans. */
export class Watch {
  readonly #db: pg.Client;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: pg.Client) {
    this.#db = db;
  }

  /** One question after the other. */
  async #ask<T extends object>(query: { name: string; text: string; values: unknown[] }): Promise<T | undefined> {
    const result = this.#last.then(() => this.#db.query<T>(query));
    this.#last = result.catch(() => undefined);
    return (await result).rows[0];
  }

  async stop(): Promise<void> {
    await this.#db.end();
  }

  /** The world of some people and of a distributor. */
  async read(users: readonly number[], distId: number): Promise<State> {
    const row = await this.#ask<State>({ name: 'look', text: SNAPSHOT, values: [users, distId] });
    if (!row) throw new Error('nothing was seen');
    return row;
  }

  /** The services of some people. */
  async services(users: readonly number[]): Promise<Services> {
    const row = await this.#ask<Services>({ name: 'services', text: SERVICES_QUERY, values: [users] });
    if (!row) throw new Error('nothing was seen');
    return row;
  }

  /** Rows of a query about a world. */
  async violations(text: string, values: unknown[]): Promise<{ id: number; text: string }[]> {
    const result = this.#last.then(() =>
      this.#db.query<{ id: number; text: string }>({ name: 'ground', text, values }),
    );
    this.#last = result.catch(() => undefined);
    return (await result).rows.map((row) => ({ ...row, id: Number(row.id) }));
  }

  /** The next clock of the world to run out, and in how many seconds; undefined when none runs. */
  async next(users: readonly number[]): Promise<{ seconds: number; what: string } | undefined> {
    return await this.#ask<{ seconds: number; what: string }>({ name: 'next', text: NEXT, values: [users] });
  }
}
