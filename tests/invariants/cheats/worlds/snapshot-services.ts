/** Reads one world's services from the tables in one query: recycling, open orders of boosting, inspections. */

export interface RecycleRequest {
  id: number;
  sn: string;
  status: string;
  userId: number;
  orderId: number | null;
  goodsId: number | null;
  floorFen: number | null;
  bestFen: number | null;
  bestUser: number | null;
  isPlatform: boolean;
  bidders: number[];
  cutFen: number;
  /** The seller's money waits for the account to be taken over. */
  held: boolean;
  disputed: boolean;
}
export interface BoostRequest {
  id: number;
  sn: string;
  status: string;
  buyerId: number;
  fen: number;
}
export interface Milestone {
  seq: number;
  shareFen: number;
  state: string;
  percent: number;
  refused: number;
  /** Its money was paid; a confirmed one without waits for its buyer or the end of the order. */
  paid: boolean;
}
export interface Job {
  orderId: number;
  state: string;
  /** How the work is done: on the buyer's account, or together with the buyer. */
  mode: string;
  parent: boolean;
  sealed: boolean;
  /** The booster and the buyer have confirmed presence where they play together. */
  sellerCame: boolean;
  buyerCame: boolean;
  late: boolean;
  /** The account did not come in time: giving up costs nothing. */
  free: boolean;
  depositsFen: number;
  milestones: Milestone[];
  cancel: { requestedBy: number; reason: string; payFen: number } | null;
  addition: { requestedBy: number; status: string; addFen: number } | null;
  /** The staff's decision on the deposits for the open dispute. */
  toBuyer: { safety: boolean; efficiency: boolean } | null;
}
export interface Task {
  id: number;
  goodsId: number;
  kind: string;
  status: string;
  buyerId: number | null;
  staffId: number | null;
}
export interface ReadingClaim {
  id: number;
  orderId: number;
  status: string;
  /** The inspection's readings, as text. */
  reading: string;
  inspectorId: number;
  draftId: number | null;
  draftBy: number | null;
}
/** A deposit that is being released. */
export interface Release {
  userId: number;
  role: string;
}
export interface Services {
  requests: RecycleRequest[];
  posts: BoostRequest[];
  jobs: Job[];
  tasks: Task[];
  claims: ReadingClaim[];
  releases: Release[];
}

const MINE = 'select o.id from orders o where o.buyer_id = any($1::bigint[]) or o.seller_id = any($1::bigint[])';

const PARTS: Readonly<Record<keyof Services, string>> = {
  requests: `select json_agg(json_build_object('id', r.id, 'sn', r.sn, 'status', r.status, 'userId', r.user_id, 'orderId', r.order_id,
      'goodsId', (select max(g.id) from goods g where g.fingerprint = r.fingerprint and g.seller_id = any($1::bigint[])), 'floorFen', r.floor_fen,
      'bestFen', b.amount_fen, 'bestUser', b.recycler_id, 'isPlatform', coalesce(c.is_platform, false), 'cutFen', r.cut_fen,
      'bidders', coalesce((select json_agg(q.recycler_id) from recycle_quote q where q.request_id = r.id and q.status = 'open'), '[]'),
      'held', exists (select from hold h where h.code = 'sale_protection' and h.ref = r.order_id::text and h.released_at is null),
      'disputed', coalesce((select o.disputed from orders o where o.id = r.order_id), false)) order by r.id)
    from recycle_request r left join recycle_quote b on b.id = r.best_quote_id left join recycler c on c.user_id = b.recycler_id
    where r.user_id = any($1::bigint[])`,
  posts: `select json_agg(json_build_object('id', r.id, 'sn', r.sn, 'status', r.status, 'buyerId', r.buyer_id, 'fen', r.goods_fen) order by r.id)
    from boost_request r where r.buyer_id = any($1::bigint[])`,
  jobs: `select json_agg(json_build_object('orderId', s.order_id, 'state', s.state, 'mode', s.mode, 'parent', s.form->>'parent' is not null,
      'sealed', exists (select from sealed_credential x where x.order_id = s.order_id), 'depositsFen', s.safety_fen + s.efficiency_fen,
      'sellerCame', s.seller_start_at is not null, 'buyerCame', s.buyer_start_at is not null,
      'free', s.state = 'waiting' and coalesce(s.account_free_at <= now(), false),
      'late', coalesce(s.due_at < coalesce(s.paused_at, now()), false),
      'milestones', (select json_agg(json_build_object('seq', m.seq, 'shareFen', m.share_fen, 'state', m.state, 'percent', m.progress_percent,
        'refused', m.refused_count, 'paid', m.paid_fen is not null) order by m.seq) from service_milestone m where m.order_id = s.order_id),
      'cancel', (select json_build_object('requestedBy', k.asked_by, 'reason', k.reason, 'payFen', k.pay_fen) from service_cancel k
        where k.order_id = s.order_id and k.status = 'asked'),
      'addition', (select json_build_object('requestedBy', a.asked_by, 'status', a.status, 'addFen', a.add_fen) from service_addition a
        where a.order_id = s.order_id and (a.status = 'asked' or (a.status = 'agreed' and a.add_fen > 0))),
      'toBuyer', case when exists (select from dispute d where d.id = s.ruled_dispute_id and d.status <> 'closed')
        then json_build_object('safety', s.ruled_safety_to_buyer, 'efficiency', s.ruled_efficiency_to_buyer) end) order by s.order_id)
    from service_order s where s.order_id in (${MINE})`,
  tasks: `select json_agg(json_build_object('id', t.id, 'goodsId', t.goods_id, 'kind', t.kind, 'status', t.status, 'buyerId', t.buyer_id,
      'staffId', t.staff_id) order by t.id) from inspection_task t join goods g on g.id = t.goods_id where g.seller_id = any($1::bigint[])`,
  claims: `select json_agg(json_build_object('id', k.id, 'orderId', k.order_id, 'status', k.status, 'reading', k.reading, 'inspectorId', t.staff_id,
      'draftId', a.id, 'draftBy', a.asked_by) order by k.id)
    from inspection_claim k join inspection_task t on t.id = k.task_id
      left join approval a on a.act = 'inspection.wrong' and a.target = 'inspection:claim' || k.id and a.status = 'waiting'
    where k.buyer_id = any($1::bigint[])`,
  releases: `select json_agg(json_build_object('userId', r.user_id, 'role', r.role) order by r.id) from deposit_release r
    where r.user_id = any($1::bigint[]) and r.status = 'waiting'`,
};

/** The query for the snapshot; $1 is the list of the world's people. */
export const SERVICES_QUERY = `select ${Object.entries(PARTS)
  .map(([name, query]) => `coalesce((${query}), '[]') as ${name}`)
  .join(', ')}`;

export const NO_SERVICES: Services = { requests: [], posts: [], jobs: [], tasks: [], claims: [], releases: [] };
