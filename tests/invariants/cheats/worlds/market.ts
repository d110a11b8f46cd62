/**
 * A market to cheat in: the whole server over a separate database, asked over HTTP, with honest staff and seats for worlds. A seat is a
 * distributor with its operator; one world at a time sits on it, so that what a distributor earns is the world's.
 */
import { sql } from 'kysely';
import { hashSecret } from '#server/kernel/secrets/argon.ts';
import { addGame } from '#tests/support/goods/goods.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { addBoostGame } from '#tests/support/services/boosting.ts';
import { addSales } from '#tests/support/orders/sales.ts';
import { refitModels } from '#subjects/valuation/server/nightly.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { databaseOf, superuserClient } from '#tests/support/database/database.ts';
import { Clockwork } from './clock.ts';
import { Watch } from './snapshot.ts';
import { changed, mutantOf } from '../switched-off/mutants.ts';

export interface Seat {
  distId: number;
  host: string;
  operator: TestStaff;
  busy: boolean;
}

/** The staff of every world. All but the last two keep to the rules; of those a world has at most one. */
export interface Staff {
  service: TestStaff;
  service2: TestStaff;
  admin: TestStaff;
  finance: TestStaff;
  finance2: TestStaff;
  badService: TestStaff;
  badFinance: TestStaff;
}

export interface Market {
  t: TestApp;
  staff: Staff;
  seats: Seat[];
  clock: Clockwork;
  watch: Watch;
  /** Runs one at a time, so that worlds do not run each other's timers. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** The hash of the pay password of people who have one. */
  payPasswordHash: string;
  close(): Promise<void>;
}

export const BOUND_GAME = 1;
export const LOOSE_GAME = 2;
/** The area and the two servers of the game that has servers. */
const AREA = 20;
const SERVERS = [200, 201] as const;
/** Where an account of a game is listed: the game's first server, or another one. Empty for a game without servers. */
export const placeOf = (game: number, isElsewhere = false): { areaId?: number; serverId?: number } =>
  game === LOOSE_GAME ? { areaId: AREA, serverId: SERVERS[isElsewhere ? 1 : 0] } : {};
export const hasServers = (game: number): boolean => game === LOOSE_GAME;
export const COUPON = 'CHEAT';
export const COUPON_FEN = 12_000;

const step = (key: string, title: string, actor: string, more: { beforeShip?: boolean; secret?: boolean } = {}) => ({
  key,
  title,
  actor,
  minutes: 10,
  evidence: false,
  required: true,
  beforeShip: more.beforeShip ?? false,
  secret: more.secret ?? false,
  explain: title,
});
const FIRST = [
  step('credentials', '提交账号资料', 'seller', { beforeShip: true, secret: true }),
  step('check_login', '核对登录', 'staff', { beforeShip: true }),
  // Without it the check would ship the order, and nothing could change between the check and the delivery.
  step('old_devices', '卖家解除旧设备', 'seller', { beforeShip: true }),
];
const LAST = [step('password', '修改密码', 'buyer'), step('accept', '验收与确认', 'buyer')];
/** The type of an item. */
export const ITEM = 27;
/** Every type of a game has its own steps (subjects/games/rules/game-check.ts); an item is no account, and nothing of it is sealed. */
const DELIVERIES = [
  {
    goodsTypes: [ITEM],
    steps: [step('deliver', '游戏内交付', 'seller', { beforeShip: true }), step('accept', '验收与确认', 'buyer')],
  },
];

/** Fields that inspections read and recyclers' prices are based on. */
const READ_FIELDS = [
  {
    key: 'skins',
    label: '皮肤数量',
    kind: 'range',
    unit: '款',
    min: 0,
    max: 900,
    required: false,
    inCard: false,
    filterable: true,
    goodsTypes: [1, 50],
    sort: 1,
  },
  {
    key: 'clean',
    label: '无违规',
    kind: 'bool',
    required: false,
    inCard: false,
    filterable: true,
    goodsTypes: [1, 50],
    sort: 2,
  },
];
const SALES = 90;

/** Adds the requirements of services: a game for boosting, fields to read, and sales from which prices of accounts are known. */
async function addServices(t: TestApp): Promise<void> {
  for (const game of [BOUND_GAME, LOOSE_GAME])
    await sql`insert into catalogue_version (game_id, kind, version, body) values (${game}, 'fields', 2, ${JSON.stringify(READ_FIELDS)}::jsonb)`.execute(
      t.ctx.db,
    );
  await addBoostGame(t);
  await addSales(t.ctx, SALES);
  await refitModels(t.ctx);
}

async function addGames(t: TestApp): Promise<void> {
  await addGame(t.ctx);
  await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
    values (${LOOSE_GAME}, 'loose', '无绑定', 2, 'W', 'wubangding', 'wbd', '[{"id":1,"name":"账号"}]')`.execute(
    t.ctx.db,
  );
  await sql`insert into catalogue_version (game_id, kind, version, body) values (${LOOSE_GAME}, 'fields', 1, '[]')`.execute(
    t.ctx.db,
  );
  await sql`insert into game_area (id, game_id, name) values (${AREA}, ${LOOSE_GAME}, '安卓区')`.execute(t.ctx.db);
  for (const id of SERVERS)
    await sql`insert into game_server (id, area_id, name) values (${id}, ${AREA}, ${`${id} 服`})`.execute(t.ctx.db);
  for (const [game, steps, deliveries] of [
    [BOUND_GAME, [...FIRST, step('phone', '换绑手机', 'seller'), ...LAST], DELIVERIES],
    [LOOSE_GAME, [...FIRST, ...LAST], []],
  ] as const)
    await sql`insert into catalogue_version (game_id, kind, version, body)
      values (${game}, 'handover', 1, ${JSON.stringify({ accounts: steps, deliveries })}::jsonb)`.execute(t.ctx.db);
}

/** Changes the SQL functions and drops the constraints that a mutant names. */
export async function switchOff(t: TestApp): Promise<void> {
  const name = process.env.CHEAT_MUTANT;
  if (name === undefined) return;
  const client = await superuserClient(databaseOf(t.ctx));
  try {
    const { changes, drops = [] } = mutantOf(name);
    for (const drop of drops) {
      const [table, constraint] = drop.split(' ');
      await client.query(`alter table ${table} drop constraint ${constraint}`);
    }
    for (const change of changes) {
      if (!('sql' in change)) continue;
      const { rows } = await client.query<{ body: string }>('select pg_get_functiondef($1::regproc) as body', [
        change.sql,
      ]);
      await client.query(changed(rows[0]?.body ?? '', change, change.sql));
    }
  } finally {
    await client.end();
  }
}

async function addSeats(t: TestApp, count: number): Promise<Seat[]> {
  const seats: Seat[] = [];
  for (let n = 0; n < count; n++) {
    const host = `seat${n}.test`;
    const { rows } = await sql<{ id: number }>`
      with d as (insert into distributor (code, name, conf, theme, commission_bp)
        select ${`seat${n}`}, ${`分销${n}`}, conf, theme, 3000 from distributor where id = 1 returning id)
      insert into dist_host (host, dist_id) select ${host}, id from d returning dist_id as id`.execute(t.ctx.db);
    const distId = rows[0]?.id ?? 0;
    seats.push({ distId, host, operator: await t.newStaff({ role: 'operator', distId }), busy: false });
  }
  await t.ctx.dir.reload();
  return seats;
}

/** Opens the market with so many seats. Close it in the end. */
export async function openMarket(seatCount: number): Promise<Market> {
  const env = { DATABASE_POOL: '16', IP_LIMIT_FACTOR: '10000', LIMIT_FACTOR: '10000' };
  const t = await testApp({ env });
  await switchOff(t);
  await addGames(t);
  await addServices(t);
  await addCampaign(t.ctx, { code: COUPON, amountFen: COUPON_FEN, minimumFen: 10_000, stock: 1_000_000, perPerson: 5 });
  await sql`insert into setting (key, version, value)
    select key, version + 1, value || '{"perDay": 1000}' from setting s where key in ('claims', 'disputes')
      and version = (select max(version) from setting x where x.key = s.key)`.execute(t.ctx.db);
  // One sale makes an old seller of a new one, or the way there would be too long to be found.
  await sql`insert into setting (key, version, value)
    select key, version + 1, value || '{"sales": 1}' from setting where key = 'new_seller' order by version desc limit 1`.execute(
    t.ctx.db,
  );
  const seats = await addSeats(t, seatCount);
  const staff = {
    service: await t.newStaff({ role: 'service' }),
    service2: await t.newStaff({ role: 'service' }),
    admin: await t.newStaff({ role: 'admin' }),
    finance: await t.newStaff({ role: 'finance' }),
    finance2: await t.newStaff({ role: 'finance' }),
    badService: await t.newStaff({ role: 'service' }),
    badFinance: await t.newStaff({ role: 'finance' }),
  };
  let last: Promise<unknown> = Promise.resolve();
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const clock = await Clockwork.of(await superuserClient(databaseOf(t.ctx)));
  const watch = new Watch(await superuserClient(databaseOf(t.ctx)));
  const close = async (): Promise<void> => {
    await clock.stop();
    await watch.stop();
    await t.close();
  };
  const payPasswordHash = await hashSecret('135792');
  return { t, staff, seats, clock, watch, alone, payPasswordHash, close };
}
