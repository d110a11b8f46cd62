/** Clients that place and pay orders over HTTP, as browsers do. */
import http from 'node:http';
import type { Buyer } from './market.ts';

export interface Goods {
  id: number;
  sn: string;
}

/** Runs `work` for each item with a number of workers; returns items per second and each item's duration in ms. */
export async function drive<T>(
  items: readonly T[],
  workers: number,
  work: (item: T, worker: number) => Promise<void>,
): Promise<{ perSecond: number; times: number[] }> {
  const times: number[] = [];
  let next = 0;
  const begun = performance.now();
  const worker = async (index: number): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      const start = performance.now();
      await work(item, index);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, i) => worker(i)));
  return { perSecond: items.length / ((performance.now() - begun) / 1000), times };
}

export const orderBody = (goods: Goods): string => `goodsSn=${goods.sn}&goodsNum=1`;

/** Traders of the server at `port`, over a number of keep-alive connections. Must be closed. */
export function traders(port: number, sockets: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: sockets });

  const send = (buyer: Buyer, path: string, key: string, body: string): Promise<{ orderId?: number }> =>
    new Promise((resolve, reject) => {
      const headers = { ...buyer.headers, 'idempotency-key': key, 'content-length': Buffer.byteLength(body) };
      const request = http.request({ host: '127.0.0.1', port, method: 'POST', path, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('end', () => {
          const answer = JSON.parse(text) as { code: number; msg: string; data: { orderId?: number } };
          if (answer.code === 0) resolve(answer.data);
          else reject(new Error(`${path}: ${answer.code} ${answer.msg}`));
        });
      });
      request.on('error', reject);
      request.end(body);
    });

  return {
    /** One order with its payment from the balance. Throws when the server rejects it. */
    async trade(buyer: Buyer, goods: Goods): Promise<void> {
      const placed = await send(buyer, '/api/order/placeOrder', `place-${goods.id}`, orderBody(goods));
      await send(buyer, '/api/pay/balancePay', `pay-${goods.id}`, `orderId=${placed.orderId}`);
    },
    close: (): void => agent.destroy(),
  };
}
