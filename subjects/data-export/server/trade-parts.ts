import { type RawBuilder, sql } from 'kysely';
import { masked, type Part, PART_ROWS, yuan } from './account-parts.ts';

const limit = sql`limit ${PART_ROWS}`;

/** The timeline of an order; actors appear by role, never by id. */
const processOf = (id: number): RawBuilder<unknown> => sql`(
  select jsonb_agg(jsonb_build_object('时间', p.created_at, '说明', p.explain,
    '操作人', case when p.actor = ${`user:${id}`} then '本人' when p.actor like 'user:%' then '对方' when p.actor like 'staff:%' then '客服' else '系统' end) order by p.id)
  from order_process p where p.order_id = o.id)`;

const orders = (id: number, name: string, own: string, other: string): Part => ({
  name,
  tables: ['orders', 'order_process'],
  rows: sql`select o.sn as "订单编号", o.type_id as "类型", o.snapshot->>'title' as "商品", o.goods_sn as "商品编号", o.goods_num as "数量", o.status as "状态",
    ${yuan('o.goods_fen')} as "货款", ${yuan('o.total_fen')} as "实付", o.fees as "费用", ${masked('u.nick_name')} as "对方",
    o.paid_at as "付款时间", o.shipped_at as "发货时间", o.completed_at as "完成时间", o.created_at as "下单时间", ${processOf(id)} as "状态记录"
    from orders o join app_user u on u.id = o.${sql.ref(other)} where o.${sql.ref(own)} = ${id} order by o.id desc ${limit}`,
});

const money = (id: number): Part[] => [
  {
    name: '付款与充值',
    tables: ['payment'],
    rows: sql`select inter_sn as "支付单号", purpose as "用途", channel as "渠道", ${yuan('amount_fen')} as "金额", status as "状态", paid_at as "付款时间", created_at as "时间"
      from payment where user_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '退款',
    tables: ['refund'],
    rows: sql`select refund_no as "退款单号", ${yuan('amount_fen')} as "金额", reason as "原因", status as "状态", created_at as "时间", done_at as "完成时间"
      from refund where user_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '提现',
    tables: ['withdrawal'],
    rows: sql`select w.sn as "提现单号", p.account_mask as "收款账户", ${yuan('w.amount_fen')} as "金额", w.status as "状态", w.note as "说明", w.created_at as "时间", w.paid_at as "到账时间"
      from withdrawal w left join payout_account p on p.id = w.payout_account_id where w.user_id = ${id} order by w.id desc ${limit}`,
  },
  {
    name: '资金流水',
    tables: ['ledger_entry', 'ledger_transfer'],
    rows: sql`select split_part(e.account, ':', 3) as "账户", t.code as "类型", ${yuan('e.delta')} as "变动", ${yuan('e.balance_after')} as "余额", e.created_at as "时间"
      from ledger_entry e join ledger_transfer t on t.id = e.transfer_id
      where e.account in (${sql.join(['available', 'frozen', 'deposit', 'maturing'].map((kind) => sql`${`user:${id}:${kind}`}`))})
      order by e.transfer_id desc ${limit}`,
  },
  {
    name: '冻结款',
    tables: ['hold'],
    rows: sql`select ${yuan('amount_fen')} as "金额", reason as "原因", release_at as "预计解冻", released_at as "解冻时间", created_at as "时间" from hold where user_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '欠款',
    tables: ['debt'],
    rows: sql`select ${yuan('amount_fen')} as "金额", ${yuan('paid_fen')} as "已还", reason as "原因", created_at as "时间", settled_at as "还清时间" from debt where debtor_user = ${id} order by id desc ${limit}`,
  },
  {
    name: '保证金',
    tables: ['deposit_entry', 'deposit_penalty', 'deposit_release'],
    rows: sql`select role as "用途", ${yuan('amount_fen')} as "金额", reason as "说明", created_at as "时间" from deposit_entry where user_id = ${id}
      union all select role, ${yuan('-amount_fen')}, reason, created_at from deposit_penalty where user_id = ${id}
      union all select role, ${yuan('amount_fen')}, '退还申请：' || reason, created_at from deposit_release where user_id = ${id} ${limit}`,
  },
  {
    name: '优惠券与抽奖',
    tables: ['coupon', 'lottery_draw'],
    rows: sql`select 'coupon' as "类型", serial::text as "编号", used_at as "使用时间", expires_at as "有效期至", created_at as "时间" from coupon where user_id = ${id}
      union all select 'draw', id::text, null, null, created_at from lottery_draw where user_id = ${id} ${limit}`,
  },
];

const trade = (id: number): Part[] => [
  orders(id, '我买到的', 'buyer_id', 'seller_id'),
  orders(id, '我卖出的', 'seller_id', 'buyer_id'),
  {
    name: '发布的商品',
    tables: ['goods', 'quick_coin_offer'],
    rows: sql`select sn as "编号", title as "标题", description as "描述", attrs as "属性", ${yuan('price_fen')} as "价格", status as "状态", created_at as "时间" from goods where seller_id = ${id}
      union all select sn, title, note, null, ${yuan('lot_price_fen')}, status, created_at from quick_coin_offer where seller_id = ${id} ${limit}`,
  },
  {
    name: '草稿与导入',
    tables: ['goods_draft', 'import_job'],
    rows: sql`select to_jsonb(d) - 'user_id' as "草稿" from goods_draft d where user_id = ${id}
      union all select jsonb_build_object('导入时间', created_at) from import_job where seller_id = ${id} ${limit}`,
  },
  {
    name: '议价',
    tables: ['bargain', 'bargain_rule'],
    rows: sql`select g.sn as "商品编号", case when b.buyer_id = ${id} then '买家' else '卖家' end as "我是", ${yuan('b.offer_fen')} as "出价", ${yuan('b.counter_fen')} as "还价",
      case when b.buyer_id = ${id} then b.message end as "留言", b.status as "状态", b.created_at as "时间",
      (select to_jsonb(r) - 'user_id' from bargain_rule r where r.user_id = ${id} limit 1) as "议价规则"
      from bargain b join goods g on g.id = b.goods_id where ${id} in (b.buyer_id, b.seller_id) order by b.id desc ${limit}`,
  },
  {
    name: '求购',
    tables: ['want'],
    rows: sql`select sn as "编号", title as "说明", filter as "条件", ${yuan('budget_fen')} as "预算", status as "状态", created_at as "时间" from want where user_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '担保交易、回收与代练发单',
    tables: ['middleman_deal', 'recycle_request', 'boost_request'],
    rows: sql`select sn as "编号", title as "内容", description as "约定", ${yuan('price_fen')} as "金额", status as "状态", created_at as "时间" from middleman_deal where ${id} in (opener_id, partner_id)
      union all select sn, '账号回收', details::text, (select ${yuan('q.amount_fen')} from recycle_quote q where q.id = best_quote_id), status, created_at from recycle_request where user_id = ${id}
      union all select sn, '代练发单', concat_ws(' ', from_rank, to_rank, note), ${yuan('total_fen')}, status, created_at from boost_request where buyer_id = ${id} ${limit}`,
  },
];

/** Parts of the export about trades: messages, guarantees, disputes, reviews, questions and inspections. */
const support = (id: number): Part[] => [
  {
    name: '我发送的聊天消息',
    tables: ['chat_message', 'chat_group'],
    rows: sql`select o.sn as "订单编号", m.type as "类型", case when m.recalled_at is null then m.content end as "内容", m.created_at as "时间"
      from chat_member c join chat_message m on m.group_id = c.group_id and m.sender = c.member join chat_group g on g.id = c.group_id left join orders o on o.id = g.order_id
      where c.member = ${String(id)} order by m.created_at desc ${limit}`,
  },
  {
    name: '我的包赔',
    tables: ['guarantee_cover', 'guarantee_holder', 'guarantee_claim'],
    rows: sql`select o.sn as "订单编号", c.kind as "保障", c.status as "状态", c.starts_at as "开始", c.ends_at as "结束", h.from_at as "持有自", h.to_at as "持有至",
      (select jsonb_agg(jsonb_build_object('编号', k.sn, '原因', k.reason, '说明', k.explain, '状态', k.status, '赔付', ${yuan('k.paid_fen')}, '时间', k.opened_at))
        from guarantee_claim k where k.cover_id = c.id and k.user_id = ${id}) as "理赔"
      from guarantee_holder h join guarantee_cover c on c.id = h.cover_id join orders o on o.id = c.order_id where h.user_id = ${id} order by c.id desc ${limit}`,
  },
  {
    name: '申诉',
    tables: ['dispute', 'dispute_statement', 'dispute_ruling', 'dispute_appeal'],
    rows: sql`select d.sn as "编号", o.sn as "订单编号", d.reason_code as "原因", d.status as "状态", d.outcome as "结果", ${yuan('d.back_fen')} as "退款", d.opened_at as "时间",
      (select jsonb_agg(jsonb_build_object('类型', s.kind, '回答', s.answers, '说明', s.text, '时间', s.created_at)) from dispute_statement s where s.dispute_id = d.id and s.user_id = ${id}) as "我的陈述"
      from dispute d join orders o on o.id = d.order_id where ${id} in (o.buyer_id, o.seller_id) order by d.id desc ${limit}`,
  },
  {
    name: '评价',
    tables: ['order_review'],
    rows: sql`select o.sn as "订单编号", case when r.user_id = ${id} then '我写的' else '写给我的' end as "方向", r.score as "评分", r.tags as "标签",
      case when r.hidden_at is null or r.user_id = ${id} then r.content end as "内容", r.answer as "回复", r.created_at as "时间"
      from order_review r join orders o on o.id = r.order_id where ${id} in (r.user_id, r.target_id) order by r.id desc ${limit}`,
  },
  {
    name: '举报的评价',
    tables: ['review_report'],
    rows: sql`select part as "对象", reason as "原因", note as "说明", status as "结果", created_at as "时间" from review_report where user_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '商品问答与举报',
    tables: ['goods_question', 'goods_report'],
    rows: sql`select case when q.user_id = ${id} then '我问的' else '问我的' end as "类型", g.sn as "商品编号", case when q.hidden_at is null or q.user_id = ${id} then q.content end as "内容",
        q.answer as "回答", q.created_at as "时间" from goods_question q join goods g on g.id = q.goods_id where ${id} in (q.user_id, q.seller_id)
      union all select '我举报的', g.sn, concat_ws('：', r.reason_code, nullif(r.note, '')), r.status, r.created_at
        from goods_report r join goods g on g.id = r.goods_id where r.user_id = ${id} ${limit}`,
  },
  {
    name: '验号',
    tables: ['inspection_task', 'inspection_claim'],
    rows: sql`select case when k.buyer_id = ${id} then '我申请的复验' else '我的商品的验号' end as "类型", g.sn as "商品编号", k.status as "状态", case when k.buyer_id = ${id} then ${yuan('k.fee_fen')} end as "金额",
        null as "说明", k.created_at as "时间" from inspection_task k join goods g on g.id = k.goods_id where k.buyer_id = ${id} or g.seller_id = ${id}
      union all select '我提出的验号有误', g.sn, c.status, ${yuan('c.amount_fen')}, concat_ws('：', c.label, c.found), c.created_at
        from inspection_claim c join inspection_task k on k.id = c.task_id join goods g on g.id = k.goods_id where c.buyer_id = ${id} ${limit}`,
  },
];

/** Orders, payments, messages, claims and disputes. Other users appear as they did on the site: masked, or by role. */
export const tradeParts = (id: number): Part[] => [...trade(id), ...support(id), ...money(id)];
