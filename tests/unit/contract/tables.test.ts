import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#tests/support/database/database.ts';
import type { TestDatabase } from '#tests/support/database/database.ts';

/** Constraints of the tables of the later subjects, tested as the application's role. Nothing here is committed. */
let database: TestDatabase;
let client: pg.Client;

async function sql<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  return (await client.query<T>(text, values)).rows;
}

/** Runs a statement that must be rejected, and returns its SQLSTATE; the transaction continues. */
async function sqlError(text: string, values: unknown[] = []): Promise<string> {
  await client.query('savepoint s');
  try {
    await client.query(text, values);
    await client.query('set constraints all immediate');
  } catch (error) {
    await client.query('rollback to s');
    return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  }
  throw new Error(`not refused: ${text}`);
}

const CHECK = '23514';
const UNIQUE = '23505';
const DENIED = '42501';

const people = { buyer: 0, seller: 0, other: 0 };
const staff = { first: 0, second: 0 };
let serial = 0;

async function person(name: string): Promise<number> {
  serial += 1;
  const [row] = await sql<{ id: string }>(
    `insert into app_user (dist_id, phone_hash, phone_enc, phone_mask, nick_name, union_num, invite_code)
     values (1, $1, '\\x00', '138****0000', $2, $2, $2) returning id`,
    [Buffer.from(`${name}${serial}`), `${name}${serial}`],
  );
  return Number(row?.id);
}

async function staffMember(login: string): Promise<number> {
  const [row] = await sql<{ id: string }>(
    `insert into staff (login, name, role, password_hash, totp_secret_enc, im_uid) values ($1, $1, 'service', '', '\\x00', $1) returning id`,
    [login],
  );
  return Number(row?.id);
}

/** An unpaid order of a type without goods. */
async function order(type: number): Promise<number> {
  serial += 1;
  const plan = {
    maxUnpaid: 50,
    expireSeconds: 1800,
    explain: '下单',
    actor: `user:${people.buyer}`,
    order: {
      sn: String(9000 + serial),
      dist_id: 1,
      type_id: type,
      buyer_id: people.buyer,
      seller_id: people.seller,
      goods_num: 10,
      unit_price_fen: 100,
      goods_fen: 1000,
      service_fee_fen: 0,
      ensure_fen: 0,
      fix_ensure_fen: 0,
      discount_fen: 0,
      total_fen: 1000,
      commission_fen: 0,
      dist_share_fen: 0,
      invite_reward_fen: 0,
      ensure_id: 0,
      fix_ensure_id: 0,
      fees: [],
      snapshot: {},
    },
  };
  const [row] = await sql<{ facts: { orderId: number } }>('select order_place($1) as facts', [JSON.stringify(plan)]);
  return row?.facts.orderId ?? 0;
}

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

beforeEach(async () => {
  await client.query('rollback');
  await client.query('begin');
  await client.query('set local role youshi_app');
  people.buyer = await person('buyer');
  people.seller = await person('seller');
  people.other = await person('other');
  staff.first = await staffMember('first');
  staff.second = await staffMember('second');
  await sql(`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types) values (9001, 'try', '试', 2, 'S', 'shi', 's', '[]')
             on conflict do nothing`);
  await sql(`insert into game_area (id, game_id, name) values (9001, 9001, '一区') on conflict (id) do nothing`);
});

describe('disputes', () => {
  let id: number;
  let orderId: number;

  const ruling = `insert into dispute_ruling (dispute_id, stage, staff_id, refund_fen, release_fen, reason) values ($1, $2, $3, 0, 1000, 'x') returning id`;

  beforeEach(async () => {
    orderId = await order(2);
    await sql(
      `insert into platform_rule (no, version, title, body, in_force_from) values ('98.2', 1, '与描述不符', '…', now())`,
    );
    const [row] = await sql<{ id: string }>(
      `insert into dispute (sn, dist_id, order_id, opener_id, opener_belong, reason_code, want, first_look_by)
       values ('D1', 1, $1, $2, 1, 'other', 'refund', now()) returning id`,
      [orderId, people.buyer],
    );
    id = Number(row?.id);
  });

  async function disputed(): Promise<boolean | undefined> {
    const [row] = await sql<{ disputed: boolean }>('select disputed from orders where id = $1', [orderId]);
    return row?.disputed;
  }

  it('mark the order while one is open, and only then', async () => {
    expect(await disputed()).toBe(true);
    await sql(`update dispute set status = 'closed', outcome = 'withdrawn', closed_at = now() where id = $1`, [id]);
    expect(await disputed()).toBe(false);
  });

  it('are one at a time and follow valid transitions', async () => {
    expect(
      await sqlError(
        `insert into dispute (sn, dist_id, order_id, opener_id, opener_belong, reason_code, want, first_look_by)
         values ('D2', 1, $1, $2, 0, 'other', 'release', now())`,
        [orderId, people.seller],
      ),
    ).toBe(UNIQUE);
    expect(await sqlError(`update dispute set status = 'appealed' where id = $1`, [id])).toBe('YS902');
    expect(await sqlError(`update dispute set order_id = order_id + 1 where id = $1`, [id])).toBe('YS901');
  });

  it('have a ruling that cites a rule, and an appeal that another person rules on', async () => {
    expect(await sqlError(ruling, [id, 1, staff.first])).toBe('YS404');
    const [first] = await sql<{ id: string }>(ruling, [id, 1, staff.first]);
    await sql(`insert into dispute_ruling_rule values ($1, '98.2', 1)`, [first?.id]);
    await sql('set constraints all immediate');
    await sql('set constraints all deferred');
    expect(await sqlError(ruling, [id, 2, staff.second])).toBe('YS402');
    await sql(`insert into dispute_appeal (dispute_id, user_id, reason) values ($1, $2, 'x')`, [id, people.buyer]);
    expect(
      await sqlError(`insert into dispute_appeal (dispute_id, user_id, reason) values ($1, $2, 'x')`, [
        id,
        people.seller,
      ]),
    ).toBe(UNIQUE);
    expect(await sqlError(ruling, [id, 2, staff.first])).toBe('YS403');
    const [second] = await sql<{ id: string }>(ruling, [id, 2, staff.second]);
    await sql(`insert into dispute_ruling_rule values ($1, '98.2', 1)`, [second?.id]);
    await sql('set constraints all immediate');
  });

  it.each(['platform_rule', 'dispute_statement', 'dispute_event', 'dispute_ruling', 'dispute_appeal'])(
    '%s is history',
    async (table) => {
      expect(await sqlError(`delete from ${table}`)).toBe(DENIED);
      await client.query('reset role');
      expect(await sqlError(`delete from ${table}`)).toBe('YS900');
    },
  );
});

describe('guarantees', () => {
  it('pass to the next owner with the account, once per order, and not while a claim is open', async () => {
    const [first, second, third] = [await order(1), await order(1), await order(1)];
    const print = Buffer.from('account');
    const [cover] = await sql<{ id: string }>(
      `insert into guarantee_cover (dist_id, tier_id, kind, order_id, fingerprint, holder_id, price_fen, premium_fen, payout_max_fen, terms, status, starts_at)
       values (1, 11, 'fixEnsure', $1, $2, $3, 1000, 100, 1000, '{}', 'active', now()) returning id`,
      [first, print, people.buyer],
    );
    await sql(`insert into guarantee_holder (cover_id, seq, user_id, order_id) values ($1, 1, $2, $3)`, [
      cover?.id,
      people.buyer,
      first,
    ]);
    const move = `select guarantee_move($1, 'fixEnsure', $2, $3) as seq`;
    expect(await sql(move, [print, people.other, second])).toEqual([{ seq: 2 }]);
    expect(await sql(move, [print, people.other, second])).toEqual([{ seq: 2 }]);
    expect(await sql(move, [Buffer.from('unknown'), people.other, second])).toEqual([{ seq: null }]);
    const chain = await sql(
      `select user_id, to_at is null as now from guarantee_holder where cover_id = $1 order by seq`,
      [cover?.id],
    );
    expect(chain).toEqual([
      { user_id: String(people.buyer), now: false },
      { user_id: String(people.other), now: true },
    ]);
    await sql(`update guarantee_cover set status = 'claimed' where id = $1`, [cover?.id]);
    expect(await sqlError(move, [print, people.seller, third])).toBe('YS401');
  });

  it('have a deadline before recovery and an amount when they pay', async () => {
    const claim = (status: string, more: string) => `insert into guarantee_claim
      (sn, dist_id, cover_id, user_id, order_id, reason, explain, asked_fen, chase_days, first_look_by, status ${more ? ', decided_at' : ''})
      select 'C', 1, c.id, c.holder_id, c.order_id, 'recovered', 'x', 100, 7, now(), '${status}' ${more} from guarantee_cover c`;
    await sql(
      `insert into guarantee_cover (dist_id, tier_id, kind, order_id, holder_id, price_fen, premium_fen, payout_max_fen, terms)
       values (1, 2, 'ensure', $1, $2, 1000, 100, 1000, '{}')`,
      [await order(1), people.buyer],
    );
    expect(await sqlError(claim('chasing', ''))).toBe(CHECK);
    expect(await sqlError(claim('paid', ', now()'))).toBe(CHECK);
    expect(await sqlError(claim('refused', ', now()'))).toBe(CHECK);
  });
});

describe('providers', () => {
  const apply = `insert into provider (dist_id, user_id, kind, name) values (1, $1, $2, '店') returning id`;

  it('open the menus of their role when approved, and close them when suspended', async () => {
    const [row] = await sql<{ id: string }>(apply, [people.seller, 'booster']);
    const flags = async () =>
      await sql(`select is_quick_shop, is_booster, is_accompanyer from app_user where id = $1`, [people.seller]);
    expect(await flags()).toEqual([{ is_quick_shop: false, is_booster: false, is_accompanyer: false }]);
    expect(await sqlError(`update provider set status = 'approved' where id = $1`, [row?.id])).toBe(CHECK);
    await sql(`update provider set status = 'approved', reviewed_at = now() where id = $1`, [row?.id]);
    expect(await flags()).toEqual([{ is_quick_shop: false, is_booster: true, is_accompanyer: false }]);
    await sql(`update provider set status = 'suspended' where id = $1`, [row?.id]);
    expect(await flags()).toEqual([{ is_quick_shop: false, is_booster: false, is_accompanyer: false }]);
    expect(await sqlError(apply, [people.seller, 'booster'])).toBe(UNIQUE);
  });

  it('offer packages whose milestones add up to the price', async () => {
    const [row] = await sql<{ id: string }>(apply, [people.seller, 'booster']);
    const offer = (milestones: string) =>
      `insert into service_package (sn, provider_id, game_id, type_id, title, scope, price_fen, minutes, milestones)
       values ('P1', ${row?.id}, 9001, 60, '包', '…', 1000, 60, '${milestones}')`;
    expect(await sqlError(offer('[{"title":"一","shareBp":4000}]'))).toBe(CHECK);
    await sql(offer('[{"title":"一","shareBp":4000},{"title":"二","shareBp":6000}]'));
  });
});

describe('quick coin', () => {
  let offer: number;

  beforeEach(async () => {
    const [shop] = await sql<{ id: string }>(
      `insert into provider (dist_id, user_id, kind, name) values (1, $1, 'shop', '店') returning id`,
      [people.seller],
    );
    const [row] = await sql<{ id: string }>(
      `insert into quick_coin_offer (sn, dist_id, provider_id, seller_id, game_id, area_id, unit, lot_units, lot_price_fen, stock, min_lots, max_lots, delivery)
       values ('Q1', 1, $1, $2, 9001, 9001, '万金币', 100, 100, 25, 5, 20, '{1,3}') returning id`,
      [shop?.id, people.seller],
    );
    offer = Number(row?.id);
  });

  const take = 'select (quick_coin_take($1, $2, $3)).stock';
  const stock = async () =>
    (await sql<{ stock: number }>('select stock from quick_coin_offer where id = $1', [offer]))[0]?.stock;

  it('decreases by what is sold, and returns why it cannot', async () => {
    expect(await sql(take, [offer, 1, 20])).toEqual([{ stock: 5 }]);
    expect(await sqlError(take, [offer, 1, 6])).toBe('YS207');
    expect(await sqlError(take, [offer, 1, 4])).toBe('YS211');
    expect(await sqlError(take, [offer, 1, 21])).toBe('YS211');
    expect(await sqlError(take, [offer, 2, 5])).toBe('YS202');
    await sql('update quick_coin_offer set status = 2');
    expect(await sqlError(take, [offer, 1, 5])).toBe('YS201');
  });

  it('is restored once when an order ends before it shipped', async () => {
    const id = await order(53);
    await sql(take, [offer, 1, 10]);
    await sql(
      `insert into quick_coin_order (order_id, offer_id, lots, lot_units, unit, delivery, area_id, role_name) values ($1, $2, 10, 100, '万金币', 1, 9001, '角色')`,
      [id, offer],
    );
    expect(await stock()).toBe(15);
    await sql('update orders set status = 7 where id = $1', [id]);
    expect(await stock()).toBe(25);
    expect(await sqlError('update orders set status = 0 where id = $1', [id])).toBe('YS902');
  });

  it('has one of three deliveries, and an item for an auction', async () => {
    expect(await sqlError(`update quick_coin_offer set delivery = '{4}'`)).toBe(CHECK);
    expect(
      await sqlError(
        `insert into quick_coin_order (order_id, offer_id, lots, lot_units, unit, delivery, area_id, role_name) values ($1, $2, 5, 100, '万金币', 2, 9001, '角色')`,
        [await order(53), offer],
      ),
    ).toBe(CHECK);
  });
});

describe('recycling and the middleman', () => {
  it('never lowers a bid, and accepts one per recycler', async () => {
    await sql(`insert into recycler (user_id, dist_id, name, day_limit_fen, status) values ($1, 1, '商', 100000, 1)`, [
      people.other,
    ]);
    const [request] = await sql<{ id: string }>(
      `insert into recycle_request (sn, dist_id, user_id, game_id, type_id, bids_until) values ('R1', 1, $1, 9001, 1, now()) returning id`,
      [people.seller],
    );
    const bid = `insert into recycle_quote (request_id, recycler_id, amount_fen) values ($1, $2, 500)`;
    await sql(bid, [request?.id, people.other]);
    expect(await sqlError(bid, [request?.id, people.other])).toBe(UNIQUE);
    await sql('update recycle_quote set amount_fen = 600');
    expect(await sqlError('update recycle_quote set amount_fen = 599')).toBe('YS901');
    expect(await sqlError(`update recycle_request set status = 'quoted' where id = $1`, [request?.id])).toBe(CHECK);
  });

  it('is a deal between two users', async () => {
    expect(
      await sqlError(
        `insert into middleman_deal (sn, dist_id, opener_id, opener_belong, partner_id, title, price_fen, fee_side, fee_fen, link_hash, expires_at)
         values ('M1', 1, $1, 1, $1, '…', 1000, 'half', 10, '\\x01', now())`,
        [people.buyer],
      ),
    ).toBe(CHECK);
  });
});

describe('trust and the back office', () => {
  it('has another person decide on a blacklist appeal', async () => {
    const [entry] = await sql<{ id: string }>(
      `insert into black_entry (sn, dist_id, reason, title, text, public_text, status, reviewed_by, listed_at, expires_at)
       values ('B1', 1, 'fraud', '…', '…', '…', 'listed', $1, now(), now() + interval '1 year') returning id`,
      [staff.first],
    );
    await sql(`insert into black_appeal (entry_id, user_id, text, answer_by) values ($1, $2, '…', now())`, [
      entry?.id,
      people.other,
    ]);
    const decide = `update black_appeal set status = 'granted', answer = '…', decided_at = now(), decided_by = $1`;
    expect(await sqlError(decide, [staff.first])).toBe('YS403');
    await sql(decide, [staff.second]);
  });

  it('has a second person for approvals and adverts', async () => {
    await sql(
      `insert into approval (act, target, payload, reason, asked_by, expires_at) values ('refund', 'order:1', '{}', '…', $1, now() + interval '1 day')`,
      [staff.first],
    );
    const allow = `update approval set status = 'allowed', decided_at = now(), decided_by = $1`;
    expect(await sqlError(allow, [staff.first])).toBe(CHECK);
    await sql(allow, [staff.second]);
    await sql(`insert into advert (position, title, ht_url, created_by) values ('home_top', '…', '/lotterydraw', $1)`, [
      staff.first,
    ]);
    expect(await sqlError(`update advert set status = 1`)).toBe(CHECK);
    expect(await sqlError(`update advert set status = 1, approved_by = $1`, [staff.first])).toBe(CHECK);
    await sql(`update advert set status = 1, approved_by = $1`, [staff.second]);
    expect(await sqlError(`update advert set ht_url = 'javascript:alert(1)'`)).toBe(CHECK);
    expect(await sqlError(`update advert set ht_url = '//elsewhere.example'`)).toBe(CHECK);
  });
});
