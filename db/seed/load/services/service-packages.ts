import { type SERVICE_TYPES, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { ladderOf } from '#subjects/services/rules/rank-ladder.ts';
import { GAMES } from '#db/catalogue/index.ts';
import { mixSeed, integer, random } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { Market } from '../market.ts';
import type { Person } from '../people/people.ts';
import { gameOf } from '../goods/values.ts';

const DAY = 1440;
const STOCK = 9999;
/** Before the first order of a service. */
const OFFERED_AGO = 56 * DAY;

/** A service role of the demo: its active providers and the shape of its packages. */
export interface Role {
  kind: 'booster' | 'companion';
  typeId: (typeof SERVICE_TYPES)[number];
  field: 'boost_kind' | 'play_kind';
  sn: string;
  /** Persons by index, of those who have the deposits that the roles need. */
  people: readonly (readonly [index: number, name: string, intro: string, profile: object])[];
  /** Other providers working in it, each with a deposit. */
  more?: readonly (readonly [name: string, intro: string, profile: object])[];
  waiting: { after: number; name: string; intro: string };
  salt: number;
}

const GOODS_COLUMNS = columns(
  `id bigint, dist_id int, seller_id bigint, game_id int, type_id smallint, title text, description text, price_fen bigint, stock int, attrs jsonb,
  pictures jsonb, bargain_ok boolean, guarantee_ok boolean, status smallint, refreshed_at timestamptz, created_at timestamptz, updated_at timestamptz`,
);
const PACKAGE_COLUMNS = columns(
  `sn text, provider_id bigint, game_id int, type_id smallint, kind smallint, title text, scope text, unit text, price_fen bigint, max_units int,
  minutes int, mode text, safety_fen bigint, efficiency_fen bigint, milestones jsonb, status smallint, goods_id bigint, rank_from smallint, rank_to smallint`,
);

const STAGES = [
  [
    { title: '完成一半', shareBp: 5000 },
    { title: '全部完成', shareBp: 5000 },
  ],
  [
    { title: '到第一个目标', shareBp: 3000 },
    { title: '到第二个目标', shareBp: 3000 },
    { title: '到最终目标', shareBp: 4000 },
  ],
  [],
] as const satisfies readonly (readonly Milestone[])[];

/** A package on offer, as the demo's orders of it need it. */
export interface ServiceOffer {
  goodsSn: string;
  packageId: number;
  providerId: number;
  person: Person;
  gameId: number;
  gameName: string;
  gameCode: string;
  title: string;
  scope: string;
  fen: number;
  /** Of one unit. */
  minutes: number;
  mode: 'account' | 'together' | 'online';
  safetyFen: number;
  efficiencyFen: number;
  milestones: readonly Milestone[];
}

export interface Milestone {
  title: string;
  shareBp: number;
}

/** Returns the region text of a buyer: the first one of the game, as its catalogue names it. */
export function regionText(gameId: number): string {
  const area = gameOf(gameId).areas[0];
  const server = area?.servers[0]?.name ?? '';
  return `${area?.name ?? ''} ${server}`.trim();
}

/** Games in which a service can be offered, with the first kinds of each. */
export const gamesOf = (role: Role) =>
  GAMES.flatMap((game) => {
    const field = game.fields.find(({ key }) => key === role.field);
    return field?.options && game.goodsTypes.some(({ id }) => id === role.typeId)
      ? [{ game, kinds: field.options.slice(0, 2) }]
      : [];
  });

interface Offer {
  role: Role;
  providerId: number;
  person: Person;
  gameId: number;
  kind: number;
  title: string;
  index: number;
  /** From which rank to which. */
  route?: { from: number; to: number };
}

/** Two packages in each of twelve games of the first provider, in each of four of the others. */
export function offersOf(role: Role, providers: readonly { id: number; person: Person }[]): Offer[] {
  return providers.flatMap(({ id, person }, i) =>
    gamesOf(role)
      .slice(0, i === 0 ? 12 : 4)
      .flatMap(({ game, kinds }) =>
        kinds.map((kind, k) => ({
          role,
          providerId: id,
          person,
          gameId: game.id,
          kind: Number(kind.v),
          title: `${game.name} ${kind.label}，${isCompanion(role) ? '按小时陪您玩' : '手打不开挂'}`,
          index: i * 100 + game.id * 2 + k,
        })),
      ),
  );
}

/** Packages of boosters from rank to rank in games that have ranks: which booster leads from where to where, by steps from the top down. */
const ROUTES: readonly (readonly [booster: number, from: number, to: number])[] = [
  [0, 8, 6],
  [0, 7, 6],
  [0, 8, 7],
  [1, 8, 6],
  [1, 9, 6],
  [1, 7, 6],
];
const ROUTED_GAMES = ['wzry', 'lol', 'hpjy'];

/** Packages that buyers compare by rank, in addition to those of `offersOf`. */
export function routedOffers(role: Role, providers: readonly { id: number; person: Person }[]): Offer[] {
  return GAMES.filter(({ code }) => ROUTED_GAMES.includes(code)).flatMap((game, g) => {
    const ladder = ladderOf(game.fields);
    const kind = game.fields
      .find(({ key }) => key === role.field)
      ?.options?.find(({ label }) => /段位|排位/.test(label));
    return ROUTES.flatMap(([booster, down, to], r): Offer[] => {
      const provider = providers[booster];
      const [low, high] = [ladder.at(-down), ladder.at(-to)];
      if (!provider || !low || !high || !kind) return [];
      return [
        {
          role,
          providerId: provider.id,
          person: provider.person,
          gameId: game.id,
          kind: Number(kind.v),
          title: `${game.name} ${low.label}打到${high.label}，手打不开挂`,
          index: 5000 + g * 100 + r,
          route: { from: low.value, to: high.value },
        },
      ];
    });
  });
}

type PricedOffer = Offer & { goodsId: number; fen: number; hours: number; at: Date; createdAt: Date };

const isCompanion = ({ typeId }: Role): boolean => typeId === COMPANION_PLAY;

const scopeOf = ({ role, title }: Offer) =>
  isCompanion(role)
    ? `${title}。语音开黑，打满约定的时间；不上您的号，不做代打。`
    : `${title}。按约定的目标完成，过程每段上传截图；不动道具、皮肤和好友。`;

const goodsRow = (o: PricedOffer) => [
  o.goodsId,
  1,
  o.person.id,
  o.gameId,
  o.role.typeId,
  o.title,
  scopeOf(o),
  o.fen,
  STOCK,
  isCompanion(o.role) ? { play_kind: o.kind, play_voice: true } : { boost_kind: o.kind, boost_hours: o.hours },
  [],
  false,
  false,
  2,
  o.at,
  o.createdAt,
  o.at,
];

/** The mode of a package, by its position in its role. */
function termsOf(
  o: PricedOffer,
  i: number,
): Pick<ServiceOffer, 'minutes' | 'mode' | 'safetyFen' | 'efficiencyFen' | 'milestones'> {
  if (isCompanion(o.role))
    return { minutes: 60, mode: i % 3 === 2 ? 'online' : 'together', safetyFen: 0, efficiencyFen: 0, milestones: [] };
  return {
    minutes: o.hours * 60,
    mode: i % 3 === 2 ? 'together' : 'account',
    safetyFen: Math.round(o.fen / 5),
    efficiencyFen: Math.round(o.fen / 10),
    milestones: STAGES[i % STAGES.length] ?? [],
  };
}

function packageRow(o: PricedOffer, i: number): unknown[] {
  const { minutes, mode, safetyFen, efficiencyFen, milestones } = termsOf(o, i);
  const [unit, most] = isCompanion(o.role) ? ['小时', 8] : ['次', 5];
  return [
    `${o.role.sn}${i}`,
    o.providerId,
    o.gameId,
    o.role.typeId,
    o.kind,
    o.title,
    scopeOf(o),
    unit,
    o.fen,
    most,
    minutes,
    mode,
    safetyFen,
    efficiencyFen,
    milestones,
    1,
    o.goodsId,
    o.route?.from ?? null,
    o.route?.to ?? null,
  ];
}

/** Stores packages with their listings, and returns all of them. */
export async function storeOffers(market: Market, offers: readonly Offer[]): Promise<ServiceOffer[]> {
  const ids = await reserveIds(market.client, 'goods', offers.length);
  const priced = offers.map((offer, i): PricedOffer => {
    const next = random(mixSeed(market.seed, offer.index, offer.role.salt));
    return {
      ...offer,
      goodsId: ids[i] ?? 0,
      fen: (isCompanion(offer.role) ? integer(next, 15, 60) : integer(next, 20, 300)) * 100,
      hours: integer(next, 4, 48),
      at: market.ago(integer(next, 30, 40 * DAY)),
      createdAt: market.ago(OFFERED_AGO - i * 3),
    };
  });
  await insertRows(market.client, 'goods', GOODS_COLUMNS, priced.map(goodsRow));
  await insertRows(
    market.client,
    'goods_stat',
    columns('goods_id bigint, game_id int'),
    priced.map((o) => [o.goodsId, o.gameId]),
  );
  await insertRows(market.client, 'service_package', PACKAGE_COLUMNS, priced.map(packageRow));
  // The server indexes them when it starts, as it does whatever was changed.
  await market.client.query(`insert into outbox (topic, payload) values ('goods.reindex', $1)`, [
    JSON.stringify({ goodsIds: priced.map(({ goodsId }) => goodsId) }),
  ]);
  const { rows } = await market.client.query<{ id: string; goods: string; sn: string }>(
    `select k.id::text, k.goods_id::text as goods, g.sn from service_package k join goods g on g.id = k.goods_id where k.goods_id = any($1::bigint[])`,
    [priced.map(({ goodsId }) => goodsId)],
  );
  const stored = new Map(rows.map((row) => [Number(row.goods), row]));
  return priced.map((o, i) => {
    const { providerId, person, gameId, title, fen } = o;
    const { name: gameName, code: gameCode } = gameOf(gameId);
    const { sn = '', id = '' } = stored.get(o.goodsId) ?? {};
    const same = { providerId, person, gameId, gameName, gameCode, title, fen };
    return { ...same, goodsSn: sn, packageId: Number(id), scope: scopeOf(o), ...termsOf(o, i) };
  });
}
