/** One world: its people and goods, what they own in the market and in the game, and the acts that were done in it. */
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import * as calls from '#subjects/orders/contract/order.ts';
import { staffHandoverDone, staffReveal, staffRevealSecond } from '#subjects/orders/contract/staff-orders.ts';
import { cookieName, openSession } from '#server/access/session.ts';
import { accountFingerprint } from '#server/kernel/account-identity.ts';
import { derivedToken } from '#server/kernel/secrets/crypto.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import type { TestClient } from '#tests/support/servers/client.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import type { TestStaff, TestUser } from '#tests/support/servers/build.ts';
import { BOUND_GAME, LOOSE_GAME, type Market, placeOf, type Seat } from './market.ts';
import { type Account, newAccount, type Sealed, type Side, sideOf, type Who } from './model.ts';
import { trueName, type Writing } from './names.ts';
import { NO_SERVICES, type Services } from './snapshot-services.ts';
import { type Claim, type Cover, type Dispute, type Order, type State } from './snapshot.ts';
import { type Setting, START_FEN } from './setting.ts';
import type { Cheat } from '../cheat.ts';
import { addPayee } from './arrange-payees.ts';
import { arrangeServices, offerAs } from './arrange-services.ts';

export interface Goods {
  id: number;
  sn: string;
  owner: Who;
  account: Account;
  fen: number;
  /** How the account's name was written when it was listed. */
  writing: Writing;
}

/** Everybody has another birthday, and with it another number of identity. */
let born = 0;
/** Calls after which nothing else has to happen before the next one. */
const STILL = new Set<string>([
  calls.placeOrder.path,
  calls.sealSecret.path,
  calls.revealSecret.path,
  staffReveal.path,
  staffRevealSecond.path,
  calls.handoverDone.path,
  calls.offlineTranSub.path,
  staffHandoverDone.path,
]);

const BUSY_TRIES = 20;
const BUSY_MS = 250;

export class World {
  readonly market: Market;
  readonly seat: Seat;
  readonly setting: Setting;
  readonly people = new Map<Who, TestUser>();
  readonly goods: Goods[] = [];
  /** Actions carried out, oldest first. */
  readonly story: string[] = [];
  /** Contents sealed on an order, oldest first. By order id. */
  readonly sealed = new Map<number, Sealed[]>();
  /** Orders of services whose buyer came to the agreed game, without which nothing can be done for him. */
  readonly came = new Set<number>();
  /** Orders whose seal the buyer has opened. */
  readonly opened = new Set<number>();
  /** Actions that honest people have done once and do not repeat. */
  readonly tried = new Set<string>();
  readonly declined = new Set<number>();
  /** Orders that their own buyer paid. */
  readonly paid = new Set<number>();
  /** Accounts that their first owner took back from the game. */
  readonly recovered = new Set<Account>();
  startFen: Record<Side, number> = { hb: 0, hs: 0, house: 0, coalition: 0 };
  services: Services = NO_SERVICES;
  /** The owner's statement of an account's skins when it was offered to recyclers, by the request's number. */
  readonly says = new Map<string, number>();
  /** Which account a request to recyclers is about, whatever name was typed for it. By the request's number. */
  readonly recycles = new Map<string, Goods>();
  /** Which account was sealed for an inspection, by the task's id. */
  readonly inspected = new Map<number, Account>();
  /** Work actually done in a boosting order's stages, in percent by stage. By order id. */
  readonly work = new Map<number, Map<number, number>>();
  /** The subject of a private deal, by its order's id. */
  readonly deals = new Map<number, Goods>();
  /** Private deals that say of an account that it is something else, by the order's id. */
  readonly untyped = new Set<number>();
  /** People whose account was closed. */
  readonly leftMarket = new Set<Who>();
  /** Ground rules that an act was seen to break. */
  readonly broken: Cheat[] = [];
  /** Payouts to the distributor, less what it had free before this world. */
  settledFen = 0;
  /** How often the dishonest member of staff has left a draft for a second person: honest ones look again then. */
  drafts = 0;
  /** Orders whose account went back, and those whose end was handled. */
  readonly settled = new Set<number>();
  /** Numbers of the orders that the machine placed, in their order. */
  readonly coupons = new Map<Who, number[]>();
  state: State = {
    now: new Date(),
    orders: [],
    goods: [],
    disputes: [],
    claims: [],
    covers: [],
    settlements: [],
    holds: [],
    withdrawals: [],
  };
  calls = 0;
  #stirred = false;
  #newPictures = 0;

  private constructor(market: Market, seat: Seat, setting: Setting) {
    this.market = market;
    this.seat = seat;
    this.setting = setting;
  }

  /** Fills a seat with people and goods. */
  static async open(market: Market, seat: Seat, setting: Setting): Promise<World> {
    const world = new World(market, seat, setting);
    const { t } = market;
    for (const who of setting.cast) {
      born += 1;
      const birthDate = new Date(Date.UTC(1960 + (born % 40), 0, 1 + Math.floor(born / 40))).toISOString().slice(0, 10);
      const user = await t.newUser({
        ...(!(who === 'b' && setting.poor) && { balanceFen: START_FEN }),
        stepUp: true,
        host: seat.host,
        // One who has sold nothing yet, to whom the limits of new sellers apply.
        soldCount: who === 'c' ? 0 : 10,
        birthDate: birthDate.replaceAll('-', ''),
      });
      world.people.set(who, user);
    }
    await world.#arrange();
    await arrangeServices(world);
    for (const [n, { owner, ...offer }] of setting.goods.entries())
      await world.addGoods(owner, offer.fen, newAccount(trueName(world.ids[0] ?? 0, n), owner, offer));
    // A seat's distributor keeps what earlier worlds have earned it.
    world.settledFen = -(await world.commissionOf());
    await world.read();
    return world;
  }

  async #arrange(): Promise<void> {
    const { db } = this.market.t.ctx;
    const [a, b, c, i] = (['a', 'b', 'c', 'i'] as const).map((who) => this.idOf(who));
    if (i) await sql`update app_user set inviter_id = ${i} where id in (${a}, ${this.idOf('hb')})`.execute(db);
    await sql`update app_user set seller_level = 4 where id in (${b}, ${c})`.execute(db);
    for (const who of this.setting.cast) await addPayee(this, who);
    if (this.setting.deposit && b) await this.call(this.client('b'), depositPay, { role: 'seller', level: 1 });
    if (!this.setting.linked) return;
    for (const id of [a, b, c].filter((x) => x !== 0))
      await sql`insert into user_browser (browser_hash, user_id) values (${Buffer.from(`browser of ${a}`)}, ${id}) on conflict do nothing`.execute(
        db,
      );
  }

  idOf(who: Who): number {
    return this.people.get(who)?.id ?? 0;
  }
  whoIs(id: number): Who {
    return this.setting.cast.find((who) => this.idOf(who) === id) ?? 'house';
  }
  client(who: Who): TestClient {
    const user = this.people.get(who);
    if (!user) throw new Error(`nobody is ${who}`);
    return user.client;
  }
  get ids(): number[] {
    return [...this.people.values()].map((user) => user.id);
  }

  /** Puts an account on sale. */
  async addGoods(owner: Who, fen: number, account: Account): Promise<Goods> {
    const { ctx } = this.market.t;
    const { sn, id } = await addGoods(ctx, { sellerId: this.idOf(owner), priceFen: fen });
    const game = this.gameOf(account);
    const goods: Goods = { id, sn, owner, account, fen, writing: 'plain' };
    this.goods.push(goods);
    const { areaId = null, serverId = null } = placeOf(game);
    const print = accountFingerprint(ctx.keys, game, account.name);
    await sql`update goods set game_id = ${game}, area_id = ${areaId}, server_id = ${serverId}, fingerprint = ${print},
      guarantee_ok = true where id = ${id}`.execute(ctx.db);
    await offerAs(this, goods);
    return goods;
  }

  /** The game of an account: accounts that recyclers buy are of the one game whose prices are known. */
  gameOf(account: Account): number {
    return account.loose && this.setting.service !== 'recycling' ? LOOSE_GAME : BOUND_GAME;
  }

  /** Reads what the market knows of this world. */
  async read(): Promise<State> {
    this.state = await this.market.watch.read(this.ids, this.seat.distId);
    if (this.setting.service !== 'none') this.services = await this.market.watch.services(this.ids);
    return this.state;
  }

  /** One call over HTTP; a refusal is an ordinary answer. A fault of the server ends the search. */
  async call<E extends Endpoint>(
    client: TestClient,
    endpoint: E,
    input: Input<E>,
    idempotencyKey?: string,
  ): Promise<Data<E> | undefined> {
    this.calls += 1;
    this.#stirred ||= !STILL.has(endpoint.path);
    const options = idempotencyKey === undefined ? {} : { idempotencyKey };
    let result = await client.call(endpoint, input, options);
    // 503 is no rejection: honest people act once, and a slow machine must not lose their action.
    for (let tries = 0; result.status === 503 && tries < BUSY_TRIES; tries++) {
      await setTimeout(BUSY_MS);
      result = await client.call(endpoint, input, options);
    }
    if (result.status >= 500 && result.code !== 0) throw new Error(`${endpoint.path}: ${result.status} ${result.msg}`);
    if (result.code !== 0) this.refusals.push(`after line ${this.story.length}: ${endpoint.path} ${result.msg}`);
    this.lastError = result.code === 0 ? '' : result.msg;
    return result.code === 0 ? result.data : undefined;
  }
  /** The calls that were rejected, for the reader of a finding. */
  readonly refusals: string[] = [];
  /** Why the last call was refused; empty when it was not. */
  lastError = '';

  /** Events and due timers, until none is left; only after acts on which something follows. */
  async settle(): Promise<void> {
    if (!this.#stirred) return;
    this.#stirred = false;
    const { t, alone } = this.market;
    await alone(async () => {
      await t.relay();
      for (let i = 0; i < 20 && (await t.timers()) > 0; i++) await t.relay();
    });
  }

  /** Lets time pass only in this world, and runs what became due. */
  async pass(seconds: number): Promise<void> {
    const { t, alone, clock } = this.market;
    await alone(async () => {
      await t.relay();
      await clock.pass(this.ids, seconds);
      for (let i = 0; i < 20 && (await t.timers()) > 0; i++) await t.relay();
    });
  }

  goodsOf(order: Pick<Order, 'id' | 'goodsId'>): Goods | undefined {
    return this.deals.get(order.id) ?? this.goods.find((g) => g.id === order.goodsId);
  }
  order(n: number): Order | undefined {
    return this.state.orders[n];
  }
  dispute(n: number): Dispute | undefined {
    return this.state.disputes[n];
  }
  claim(n: number): Claim | undefined {
    return this.state.claims[n];
  }
  cover(n: number): Cover | undefined {
    return this.state.covers[n];
  }
  buyer(order: Order): Who {
    return this.whoIs(order.buyerId);
  }
  seller(order: Order): Who {
    return this.whoIs(order.sellerId);
  }
  /** Whether both sides are of the coalition. */
  amongThemselves(order: Order): boolean {
    return sideOf(this.buyer(order)) === 'coalition' && sideOf(this.seller(order)) === 'coalition';
  }

  /** A picture that a person has uploaded as evidence: always the same, or one that was never seen before. */
  async proof(who: Who, isNew = false): Promise<string[]> {
    const key = `${`${this.idOf(who)}x${isNew ? ++this.#newPictures : 0}`.padStart(26, '0')}-64x64`;
    await sql`insert into picture (key, owner_id, purpose, width, height, bytes, sha256)
      values (${key}, ${this.idOf(who)}, 'evidence', 64, 64, 100, ${Buffer.from(key)}) on conflict do nothing`.execute(
      this.market.t.ctx.db,
    );
    return [key];
  }

  /** The number by which a story names an order. */
  numberOf(order: Pick<Order, 'id'>): number {
    return this.state.orders.findIndex((o) => o.id === order.id) + 1;
  }
  tookBack(acc: Account): boolean {
    return this.recovered.has(acc);
  }
  /** Whether a dispute or a claim has given the whole price back. */
  refundedAll(order: Order): boolean {
    return (
      this.state.disputes.some(
        (d) => d.orderId === order.id && d.status === 'closed' && d.endedFen >= order.goodsFen,
      ) || this.state.claims.some((k) => k.orderId === order.id && k.status === 'paid')
    );
  }

  /** A picture that a member of staff has uploaded. */
  async staffProof(staff: TestStaff): Promise<string[]> {
    const key = `staff${String(staff.id).padStart(21, '0')}-64x64`;
    await sql`insert into picture (key, staff_id, purpose, width, height, bytes, sha256) values (${key}, ${staff.id}, 'evidence', 64, 64, 100, '')
      on conflict do nothing`.execute(this.market.t.ctx.db);
    return [key];
  }

  /** Gives an order to a member of staff, as the back office does; where readings are at stake the dishonest one reads. */
  async assign(orderId: number): Promise<void> {
    const { badService, service } = this.market.staff;
    const staff =
      this.setting.bad === 'service' && this.setting.badAssigned && this.setting.service !== 'reading'
        ? badService
        : service;
    await sql`update orders set staff_id = ${staff.id} where id = ${orderId}`.execute(this.market.t.ctx.db);
  }

  /** Returns the distributor's available commission. */
  async commissionOf(): Promise<number> {
    const { rows } = await sql<{ fen: number }>`
      select balance as fen from ledger_account where key = ${`dist:${this.seat.distId}:commission`}`.execute(
      this.market.t.ctx.db,
    );
    return Number(rows[0]?.fen ?? 0);
  }

  /** Gives a person a pay password. */
  async givePayPassword(who: Who): Promise<void> {
    const { t, payPasswordHash } = this.market;
    await sql`update app_user set pay_password_hash = ${payPasswordHash} where id = ${this.idOf(who)}`.execute(
      t.ctx.db,
    );
  }

  /** A browser with the honest buyer's log-in, to which he has proved nothing. */
  async stolen(): Promise<TestClient> {
    const { t } = this.market;
    const { ctx } = t;
    const sid = await openSession(ctx, {
      userId: this.idOf('hb'),
      distId: 1,
      kind: 'web',
      ip: '10.9.9.9',
      agent: 'thief',
    });
    const client = t.client({ host: this.seat.host });
    client.jar.set(cookieName(ctx.config, false), sid);
    client.jar.set('csrfToken', derivedToken(ctx.keys, sid, 'csrf'));
    client.token = derivedToken(ctx.keys, sid, 'hdr');
    return client;
  }

  /** The last code that was sent to a person's phone. */
  codeOf(who: Who): string {
    return this.market.t.lastCode(this.people.get(who)?.phone ?? '');
  }

  async availableOf(who: Who): Promise<number> {
    return (await loadBalances(this.market.t.ctx.db, this.idOf(who))).availableFen;
  }

  /** Records that a ground rule was broken, once for each text. */
  breakRule(text: string, promise: Cheat['promise'] = 5): void {
    if (!this.broken.some((cheat) => cheat.text === text)) this.broken.push({ promise, text });
  }

  log(line: string): void {
    this.story.push(line);
  }
}
