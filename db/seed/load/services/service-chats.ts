import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { OPENING_SEQ, serviceEndedCard, serviceOpenedCard, serviceTopicCard } from '#subjects/chat/server/rules.ts';
import { mixSeed } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import { type Market, staffId } from '../market.ts';
import type { Person } from '../people/people.ts';

const DAY = 1440;
const GROUP_COLUMNS = columns(
  'id bigint, group_type smallint, user_id bigint, goods_id bigint, dist_id int, last_seq bigint, status smallint, created_at timestamptz',
);
const MEMBER_COLUMNS = columns(
  'group_id bigint, member text, role text, is_current boolean, read_seq bigint, joined_at timestamptz',
);
const MESSAGE_COLUMNS = columns(
  'group_id bigint, seq bigint, uid text, sender text, client_msg_id text, type text, content jsonb, created_at timestamptz',
);
const ASSIGNMENT_COLUMNS = columns(
  'group_id bigint, staff_id bigint, reason text, from_at timestamptz, to_at timestamptz, first_reply_at timestamptz, solved_at timestamptz',
);

/** Questions before buying: one of the demo's buyer that has ended, one of its seller that customer service still has. */
const TALKS = [
  {
    person: 0,
    login: 'kefu1',
    ago: 6 * DAY,
    ended: true,
    lines: [
      ['owner', '这个号换绑大概要多久？'],
      ['staff', '您好，安卓微信区一般半小时，每一步都在订单页有时限；换绑完成、您确认收货后才给卖家放款。'],
      ['owner', '明白了，那我直接下单'],
    ],
  },
  {
    person: 1,
    login: 'kefu2',
    ago: 35,
    ended: false,
    lines: [
      ['owner', '我卖的号已经过了保护期，什么时候能提现？'],
      ['staff', '您好，保护期结束后货款自动转入可用余额，现在就可以在「我的钱包」提现。'],
    ],
  },
] as const;

/** Conversations with customer service that belong to no order. */
export async function storeServiceChats(market: Market, people: readonly Person[]): Promise<void> {
  const ids = await reserveIds(market.client, 'chat_group', TALKS.length);
  const { rows: goods } = await market.client.query<{ id: number; sn: string; title: string }>(
    `select id, sn, title from goods where status = ${GoodsStatus.OnSale} and type_id = ${OrderType.Account} order by id limit 1`,
  );
  const { rows: staff } = await market.client.query<{ id: string; uid: string; name: string }>(
    'select id::text, im_uid as uid, name from staff',
  );
  for (const [i, talk] of TALKS.entries()) {
    const id = ids[i] ?? 0;
    const person = people[talk.person];
    const agent = staff.find((one) => one.id === String(staffId(market, talk.login)));
    if (!person || !agent) continue;
    const topic = talk.ended ? goods[0] : undefined;
    const cards = [
      { key: 'service.opened', card: serviceOpenedCard(agent.name) },
      ...(topic ? [{ key: `topic-${topic.id}`, card: serviceTopicCard(topic.title, topic.sn) }] : []),
    ];
    const end = talk.ended ? [{ key: 'closed', card: serviceEndedCard }] : [];
    const said = talk.lines.map(([by, content], n) => ({ by, content, key: `demo-${n}` }));
    const lines = [...cards, ...said, ...end];
    const at = (n: number): Date => market.ago(talk.ago - n * 2);
    const last = OPENING_SEQ + lines.length - 1;
    await insertRows(market.client, 'chat_group', GROUP_COLUMNS, [
      [id, 2, person.id, topic?.id ?? null, 1, last, talk.ended ? 2 : 1, at(0)],
    ]);
    await insertRows(market.client, 'chat_member', MEMBER_COLUMNS, [
      [id, String(person.id), 'owner', false, talk.ended ? last : last - 1, at(0)],
      [id, agent.uid, 'staff', !talk.ended, last, at(0)],
    ]);
    await insertRows(
      market.client,
      'chat_message',
      MESSAGE_COLUMNS,
      lines.map((line, n) => [
        id,
        OPENING_SEQ + n,
        `S${mixSeed(id, n, 53).toString(36)}${id.toString(36)}${n}`,
        'card' in line ? 'system' : line.by === 'staff' ? agent.uid : String(person.id),
        line.key,
        'card' in line ? 'card' : 'text',
        'card' in line ? line.card : { content: line.content },
        at(n),
      ]),
    );
    const reply = at(cards.length + 1);
    await insertRows(market.client, 'chat_assignment', ASSIGNMENT_COLUMNS, [
      [id, agent.id, 'auto', at(0), talk.ended ? at(lines.length) : null, reply, talk.ended ? at(lines.length) : null],
    ]);
    if (!talk.ended)
      await market.client.query(
        `insert into timer (kind, ref, due_at) values ('chat.close', $1, $2) on conflict do nothing`,
        [String(id), market.ago(talk.ago - 3 * DAY)],
      );
  }
}
