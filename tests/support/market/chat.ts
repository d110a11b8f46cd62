/** A chat client over a real socket: frames in and out, and waiting for one of them. */
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import type { ClientWsFrame, ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import { type ChatMessage, getImCenterToken, getImGroupIdMap } from '#subjects/chat/contract/im.ts';
import { staffImToken } from '#subjects/chat/contract/im-staff.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { BACKSTAGE_HOST, type TestApp, type TestStaff, type TestUser } from '../servers/build.ts';
import { addGoods } from '../goods/goods.ts';

const WAIT_MS = 60_000;

export type Frame<Op extends ServerWsFrame['op']> = Extract<ServerWsFrame, { op: Op }>;

/** Port of the running server; it starts listening on the first request. */
export async function portOf(t: TestApp): Promise<number> {
  if (!t.app.http.server.listening) await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  return (t.app.http.server.address() as AddressInfo).port;
}

export interface Knock {
  token: string;
  host?: string;
  origin?: string;
}

/** Requests the socket: the open connection, or the HTTP status of the rejection. */
export async function knock(port: number, options: Knock): Promise<ChatSocket | number> {
  const { token, host = 'localhost', origin = `http://${host}` } = options;
  const headers = { host, ...(origin !== '' && { origin }) };
  const ws = new WebSocket(`ws://127.0.0.1:${port}/ws/im?token=${encodeURIComponent(token)}`, { headers });
  const socket = new ChatSocket(ws);
  return await new Promise((resolve, reject) => {
    ws.once('open', () => resolve(socket));
    ws.once('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
      ws.terminate();
    });
    ws.once('error', reject);
  });
}

/** Opens the socket of a user or of staff. Throws if it is rejected. */
export async function connect(t: TestApp, who: TestUser | TestStaff): Promise<ChatSocket> {
  const isStaff = 'imUid' in who;
  const { token } = await (isStaff ? who.client.ok(staffImToken, {}) : who.client.ok(getImCenterToken, {}));
  const socket = await knock(await portOf(t), { token, host: isStaff ? BACKSTAGE_HOST : who.client.host });
  if (typeof socket === 'number') throw new Error(`the socket was refused with ${socket}`);
  await socket.next('hello');
  return socket;
}

export class ChatSocket {
  readonly ws: WebSocket;
  readonly frames: ServerWsFrame[] = [];
  closeCode: number | undefined;
  readonly closed: Promise<number>;
  #bell: () => void = () => undefined;

  constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on('error', () => undefined);
    ws.on('message', (data) => {
      this.frames.push(JSON.parse((data as Buffer).toString('utf8')) as ServerWsFrame);
      this.#bell();
    });
    this.closed = new Promise((resolve) => {
      ws.once('close', (code) => {
        this.closeCode = code;
        resolve(code);
        this.#bell();
      });
    });
  }

  send(wsFrame: ClientWsFrame): void {
    this.ws.send(JSON.stringify(wsFrame));
  }

  of<Op extends ServerWsFrame['op']>(op: Op): Frame<Op>[] {
    return this.frames.filter((wsFrame): wsFrame is Frame<Op> => wsFrame.op === op);
  }

  /** The first frame of a kind that fits; waits for it. */
  async next<Op extends ServerWsFrame['op']>(op: Op, matches: (wsFrame: Frame<Op>) => boolean = () => true) {
    const limit = Date.now() + WAIT_MS;
    for (;;) {
      const found = this.of(op).find(matches);
      if (found) return found;
      const left = limit - Date.now();
      if (left <= 0 || this.closeCode !== undefined)
        throw new Error(`no ${op} came; got ${JSON.stringify(this.frames.slice(-5))} close ${this.closeCode}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#bell = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** A frame that the server answers after everything it sent before: anything that has not arrived by then will not arrive. */
  async settled(): Promise<void> {
    const before = this.of('pong').length;
    this.send({ op: 'ping' });
    await this.next('pong', () => this.of('pong').length > before);
  }

  /** Cuts the connection without notice. */
  async cut(): Promise<void> {
    this.ws.terminate();
    await this.closed;
  }
}

export interface Trade {
  buyer: TestUser;
  seller: TestUser;
  orderId: number;
  orderSn: string;
  groupId: string;
}

/** A paid order with its group, between two new users. Needs addGame. */
export async function trade(t: TestApp): Promise<Trade> {
  const seller = await t.newUser({ nickName: '卖家' });
  const buyer = await t.newUser({ nickName: '买家', balanceFen: 50_000 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  await t.relay();
  return { buyer, seller, orderId, orderSn, groupId: await groupOf(buyer, orderSn) };
}

/** Number of an order's group. Throws when it has none. */
export async function groupOf(user: TestUser, orderSn: string): Promise<string> {
  const map = await user.client.ok(getImGroupIdMap, { orderSnList: orderSn });
  const groupId = map[orderSn]?.[0]?.groupId;
  if (groupId === undefined) throw new Error('the order has no group');
  return groupId;
}

let count = 0;
export const newId = (): string => `m-${++count}`;

/** Sends and waits for the receipt. */
export async function sendText(socket: ChatSocket, groupId: string, content: string, clientMsgId = newId()) {
  socket.send({ op: 'send', groupId, clientMsgId, content });
  return await socket.next('ack', (ack) => ack.clientMsgId === clientMsgId);
}

export const textsOf = (list: readonly ChatMessage[]): (string | undefined)[] =>
  list.filter((m) => m.messageType === 'text').map((m) => m.content.content);
