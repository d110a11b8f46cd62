import { addApiKey } from '#server/access/api-key-store.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { webhookSecretAad } from '#subjects/open-api/server/webhook-endpoints.ts';
import type { Market } from '../market.ts';
import type { Person } from './people.ts';

/** The demo merchant's place among the people. */
const MERCHANT = 5;

/** Calls of the first key, as minutes ago, address and code of the answer. */
const CALLS = [
  [3, 'POST', '/api/open/goods/update', 0],
  [4, 'POST', '/api/open/goods/update', 1188],
  [9, 'GET', '/api/open/goods/list', 0],
  [31, 'POST', '/api/open/goods/soldElsewhere', 0],
  [33, 'POST', '/api/open/goods/soldElsewhere', 2014],
  [64, 'GET', '/api/open/orders/list', 0],
  [65, 'POST', '/api/open/goods/publish', 1186],
  [70, 'GET', '/api/open/self', 1181],
  [71, 'GET', '/api/open/self', 0],
] as const;

/** Events as minutes ago, what, state, and the answers of their attempts; 0 = none within the limit. */
const EVENTS = [
  [6, 'goods.approved', 'sent', [200]],
  [40, 'order.paid', 'waiting', [503, 503]],
  [95, 'goods.off', 'sent', [500, 200]],
  [300, 'order.completed', 'failed', [0, 0, 502, 502, 502, 502, 502, 502, 502]],
  [410, 'goods.rejected', 'stopped', []],
  [1500, 'goods.sold', 'sent', [204]],
] as const;

/**
 * Keys of the demo merchant, endpoints of its program, and the deliveries to them. After people and goods. The program is one of this machine,
 * so that a demo market sends nothing elsewhere.
 */
export async function storeOpenApi(market: Market, people: readonly Person[]): Promise<void> {
  const { client, keys, db } = market;
  const person = people[MERCHANT];
  if (!person) return;
  const base = { userId: person.id, networks: [], maxDropPercent: 30 };
  const stock = {
    ...base,
    publicId: 'yk_demostocksync2222222',
    secret: 'demo-secret-of-the-stock',
    name: '库存同步',
    days: 90,
  };
  const first = await addApiKey(db, keys, { ...stock, scopes: ['goods.read', 'stock.write', 'orders.read'] });
  const old = {
    ...base,
    publicId: 'yk_demooldprogram222222',
    secret: 'demo-secret-of-the-past',
    name: '旧的上架脚本',
    days: 30,
  };
  const second = await addApiKey(db, keys, {
    ...old,
    scopes: ['goods.read', 'goods.write'],
    networks: ['203.0.113.0/24'],
  });
  await client.query(
    `update api_key set last_used_at = now() - interval '3 minutes', last_network = '47.98.*.*' where id = $1`,
    [first],
  );
  await client.query(`update api_key set revoked_at = now() - interval '2 days' where id = $1`, [second]);
  for (const [minutes, method, path, code] of [...CALLS].toReversed())
    await client.query(
      `insert into api_call (key_id, at, method, path, code, ms, network) values ($1, now() - make_interval(mins => $2), $3, $4, $5, $6, '47.98.*.*')`,
      [first, minutes, method, path, code, 12 + (minutes % 30)],
    );
  await storeEvents(market, person.id);
}

async function storeEvents({ client, keys }: Market, userId: number): Promise<void> {
  const endpoints: number[] = [];
  for (const [url, status] of [
    ['http://localhost:3999/youshi/events', 'on'],
    ['http://localhost:3998/hook', 'disabled'],
  ] as const) {
    const { rows } = await client.query<{ id: number }>(
      `insert into webhook_endpoint (user_id, url, events, secret_enc, status, fails, failing_since)
       values ($1, $2, '{goods.approved,goods.rejected,goods.off,goods.sold,order.paid,order.completed}', '\\x00', $3,
         case when $3 = 'on' then 2 else 37 end, now() - case when $3 = 'on' then interval '40 minutes' else interval '3 days' end) returning id`,
      [userId, url, status],
    );
    const id = rows[0]?.id ?? 0;
    await client.query('update webhook_endpoint set secret_enc = $2 where id = $1', [
      id,
      encrypt(keys, webhookSecretAad(id), 'whsec_ZGVtby1zZWNyZXQtb2YtdGhlLWhvb2s='),
    ]);
    endpoints.push(id);
  }
  for (const [i, [minutes, event, status, answers]] of [...EVENTS].toReversed().entries()) {
    const at = new Date(Date.now() - minutes * 60_000);
    const body = JSON.stringify({
      type: event,
      timestamp: at.toISOString(),
      data: { goodsSn: `SJ00000${i + 10}`, price: '1288.00' },
    });
    const { rows } = await client.query<{ id: number }>(
      `insert into webhook_delivery (endpoint_id, event, subject, body, status, attempts, created_at, sent_at, next_at)
       values ($1, $2, $3, $4, $5, $6, $7, case when $5 = 'sent' then $7::timestamptz end, case when $5 = 'waiting' then now() + interval '4 minutes' end) returning id`,
      [status === 'stopped' ? endpoints[1] : endpoints[0], event, `demo:${i}`, body, status, answers.length, at],
    );
    if (status === 'waiting')
      await client.query(
        `insert into timer (kind, ref, due_at) values ('webhook.send', $1::text, now() + interval '4 minutes')`,
        [rows[0]?.id],
      );
    for (const [k, answer] of answers.entries())
      await client.query(
        `insert into webhook_attempt (delivery_id, at, ms, status, failure, request_head, response_head)
         values ($1, $2, $3, $4, $5, 'POST' || chr(10) || 'content-type: application/json; charset=utf-8', $6)`,
        [
          rows[0]?.id,
          new Date(at.getTime() + k * 60_000),
          answer === 0 ? 5_000 : 80 + k,
          answer === 0 ? null : answer,
          answer === 0 ? '5 秒内没有响应' : answer < 300 ? null : `返回了 HTTP ${answer}`,
          answer === 0 ? '' : `HTTP ${answer}\ncontent-type: text/plain`,
        ],
      );
  }
}
