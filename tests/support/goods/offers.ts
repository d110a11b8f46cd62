/** The real catalogue's form of one game, an offer that fits it, and pictures as a browser sends them. */
import { sql } from 'kysely';
import sharp from 'sharp';
import { GAMES } from '#db/catalogue/index.ts';
import { loadCatalogue } from '#db/catalogue/load.ts';
import type { Data, Envelope, Input } from '#contract/endpoint.ts';
import { upload } from '#subjects/media/contract/pictures.ts';
import { releaseGoods, selfPublishGoodsList } from '#subjects/goods/contract/goods.ts';
import type { Context } from '#server/context.ts';
import { approveGoods, type Decision, reviewItem } from '#subjects/goods/server/service.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import type { TestApp, TestUser } from '../servers/build.ts';
import type { CallResult, TestClient } from '../servers/client.ts';

/** 王者荣耀 (2, with accounts and items) and 地下城与勇士 (1, with coin) as the demo market has them. */
async function addCatalogue(ctx: Context): Promise<void> {
  await loadCatalogue(
    ctx.db,
    GAMES.filter((g) => g.id <= 2),
  );
  ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

type Offering = Input<typeof releaseGoods>;

let accounts = 0;

/** An account of 王者荣耀 that its form takes; each call names another game account. */
export function accountOffer(overrides: Partial<Offering> = {}): Offering {
  accounts += 1;
  return {
    gameId: 2,
    goodsTypeId: 1,
    bigTitle: '荣耀王者 全英雄 贵族八级',
    description: '自用号，信息齐全',
    price: '1288.00',
    areaId: 2001,
    serverId: 201001,
    details: { rank: 1, noble: 8, skin_count: 320, hero_count: 120, account_source: 1, second_realname: true },
    accountNo: `account-${accounts}`,
    ...overrides,
  };
}

/** The same as an edit sends it, the account's number left as it is. */
export function accountBody(overrides: Partial<Offering> = {}): Omit<Offering, 'gameId' | 'goodsTypeId' | 'accountNo'> {
  const { gameId: _game, goodsTypeId: _type, accountNo: _account, ...body } = accountOffer(overrides);
  return body;
}

/** Coin of 地下城与勇士 that its form takes. */
export function coinOffer(overrides: Partial<Offering> = {}): Offering {
  return {
    gameId: 1,
    goodsTypeId: 2,
    bigTitle: '广东一区金币 秒发货',
    price: '35.50',
    stock: 10,
    areaId: 1001,
    serverId: 101001,
    details: { amount: 1000, delivery: 1 },
    ...overrides,
  };
}

/** A picture file with something on it. */
export async function pictureFile(
  kind: 'png' | 'jpeg',
  width = 900,
  height = 500,
  background = { r: 30, g: 120, b: 140 },
): Promise<Buffer> {
  const picture = sharp({ create: { width, height, channels: 3, background } });
  return kind === 'png' ? await picture.png().toBuffer() : await picture.jpeg().toBuffer();
}

/** Sends a file as the browser's form does. */
export async function sendPicture(
  client: TestClient,
  file: Buffer,
  overrides: { type?: string; purpose?: string; path?: string } = {},
): Promise<Pick<CallResult<Data<typeof upload>>, 'status' | 'code' | 'msg' | 'data'>> {
  const line = '----pictureboundary';
  const head = `--${line}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: ${overrides.type ?? 'image/png'}\r\n\r\n`;
  const response = await client.raw({
    method: 'POST',
    url: `${overrides.path ?? upload.path}?purpose=${overrides.purpose ?? 'goods'}`,
    headers: { 'content-type': `multipart/form-data; boundary=${line}` },
    payload: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${line}--\r\n`)]),
  });
  const envelope = response.json<Envelope<Data<typeof upload>>>();
  return {
    status: response.statusCode,
    code: envelope.code,
    msg: envelope.msg,
    data: envelope.data as Data<typeof upload>,
  };
}

/** Test helpers for a seller's listings. */
export interface OfferFixture {
  /** A seller with so many completed sales. */
  sellerWith(sold: number): Promise<TestUser>;
  /** Sends an account to review; returns its number. */
  published(user: TestUser, overrides?: Partial<Offering>): Promise<string>;
  /** The same, approved. */
  onSale(user: TestUser, overrides?: Partial<Offering>): Promise<string>;
  /** A reviewer who has just looked at the goods. */
  decision(goodsSn: string): Promise<Decision>;
  approve(goodsSn: string): Promise<unknown>;
  /** Returns the search index of a seller: number and all-in price in fen. */
  searched(user: TestUser): Promise<Map<string, number>>;
  /** A goods as its seller's list shows it. */
  own(user: TestUser, goodsSn: string): Promise<Data<typeof selfPublishGoodsList>['list'][number]>;
  /** The kinds of the goods' history, oldest first. */
  events(goodsSn: string): Promise<string[]>;
}

/** Loads the catalogue and a reviewer. Call once per database. */
export async function offerFixture(t: TestApp): Promise<OfferFixture> {
  await addCatalogue(t.ctx);
  const reviewer = await t.newStaff({ role: 'reviewer' });
  const { db } = t.ctx;
  const fixture: OfferFixture = {
    async sellerWith(sold) {
      const user = await t.newUser();
      await sql`update app_user set sold_count = ${sold} where id = ${user.id}`.execute(db);
      return user;
    },
    published: async (user, overrides) => (await user.client.ok(releaseGoods, accountOffer(overrides))).goodsSn,
    async onSale(user, overrides) {
      const goodsSn = await fixture.published(user, overrides);
      await fixture.approve(goodsSn);
      return goodsSn;
    },
    async decision(goodsSn) {
      const { version } = await reviewItem(t.ctx, goodsSn, null);
      return { goodsSn, version, distId: null, staffId: reviewer.id };
    },
    approve: async (goodsSn) => await approveGoods(t.ctx, await fixture.decision(goodsSn)),
    async searched(user) {
      const { rows } = await sql<{ sn: string; fen: number }>`
        select g.sn, s.price_fen as fen from goods_search s join goods g on g.id = s.goods_id where g.seller_id = ${user.id}`.execute(
        db,
      );
      return new Map(rows.map((r) => [r.sn, r.fen]));
    },
    async own(user, goodsSn) {
      const [item] = (await user.client.ok(selfPublishGoodsList, { keyWord: goodsSn })).list;
      if (!item) throw new Error('not in the list');
      return item;
    },
    async events(goodsSn) {
      const { rows } = await sql<{ kind: string }>`
        select e.kind from goods_event e join goods g on g.id = e.goods_id where g.sn = ${goodsSn} order by e.id`.execute(
        db,
      );
      return rows.map((r) => r.kind);
    },
  };
  return fixture;
}
