import { encrypt } from '#server/kernel/crypto.ts';
import { GAMES } from '#db/catalogue/index.ts';
import { mixSeed, integer, random } from '../generate/random.ts';
import { columns, insertRows, reserveIds } from './bulk.ts';
import { type EveningOffer, storeCompanionDeposits, storeEvenings, storeVoices } from './companion-orders.ts';
import type { MarketSettings } from './deals-price.ts';
import { type Market, staffId } from './market.ts';
import type { Dated } from './money.ts';
import type { OrderIds } from './order-ids.ts';
import type { Person } from './people.ts';

const DAY = 1440;
const STOCK = 9999;

/** A role of services as the demo has it: the people at work in it, and how its packages are. */
interface Role {
  kind: 'booster' | 'companion';
  typeId: 60 | 61;
  field: 'boost_kind' | 'play_kind';
  sn: string;
  /** Persons by index, of those who have the deposits that the roles need. */
  people: readonly (readonly [index: number, name: string, intro: string, profile: object])[];
  /** Strangers at work in it, who have a deposit of their own. */
  more?: readonly (readonly [name: string, intro: string, profile: object])[];
  waiting: { after: number; name: string; intro: string };
  salt: number;
}

const BOOSTING: Role = {
  kind: 'booster',
  typeId: 60,
  field: 'boost_kind',
  sn: 'SPDEMO',
  people: [
    [5, '老韩代练工作室', '三台机器同时打，晚上十点后优先接单。', {}],
    [1, '阿泽上分', '五年国服打野，只打自己擅长的段位。', {}],
  ],
  waiting: { after: 150, name: '新手阿力', intro: '王者五十星，想接上分单。' },
  salt: 91,
};

const daily = (from: number, to: number, days: readonly number[]) =>
  days.map((day) => ({ day, fromMinute: from * 60, toMinute: to * 60 }));
const EVENINGS = daily(14, 24, [0, 1, 2, 3, 4, 5, 6]);
const WEEKENDS = [...daily(19, 24, [0, 1, 2, 3, 4]), ...daily(10, 24, [5, 6])];

const COMPANION: Role = {
  kind: 'companion',
  typeId: 61,
  field: 'play_kind',
  sn: 'SPPLAY',
  people: [
    [
      5,
      '阿韩开黑',
      '老玩家，指挥清楚，输了不甩锅。',
      { gender: 'male', city: '武汉', tags: ['会指挥', '不骂人', '固定车队'], trialMinutes: 0, hours: [] },
    ],
    [
      1,
      '泽哥带练',
      '边打边讲思路，适合想自己上分的朋友。',
      { gender: 'male', city: '杭州', tags: ['教学', '耐心'], trialMinutes: 10, hours: [] },
    ],
  ],
  more: [
    [
      '小满',
      '声音软，不催单，主玩辅助和中路，陪您慢慢上分。',
      { gender: 'female', city: '成都', tags: ['声音软', '不催单', '辅助'], trialMinutes: 10, hours: EVENINGS },
    ],
    [
      '鹿鸣',
      '报点清楚，带节奏，四排缺人就喊我。',
      { gender: 'female', city: '长沙', tags: ['报点', '带节奏'], trialMinutes: 0, hours: WEEKENDS },
    ],
    [
      '青柠',
      '双排三排都行，输赢随缘，图个开心。',
      { gender: 'female', city: '重庆', tags: ['娱乐局', '陪聊'], trialMinutes: 5, hours: [] },
    ],
  ],
  waiting: { after: 170, name: '小柚', intro: '声音温柔，主玩辅助，周末全天在线。' },
  salt: 97,
};

const PROVIDER_COLUMNS = columns(
  `id bigint, dist_id int, user_id bigint, kind text, status text, name text, intro text, games text>int[], contact_enc bytea, profile jsonb,
  deposit_level smallint, online boolean, reviewed_by bigint, reviewed_at timestamptz, done_count int, on_time_count int, created_at timestamptz, voice text`,
);
const GOODS_COLUMNS = columns(
  `id bigint, dist_id int, seller_id bigint, game_id int, type_id smallint, title text, description text, price_fen bigint, stock int, attrs jsonb,
  pictures jsonb, bargain_ok boolean, guarantee_ok boolean, status smallint, refreshed_at timestamptz, created_at timestamptz, updated_at timestamptz`,
);
const PACKAGE_COLUMNS = columns(
  `sn text, provider_id bigint, game_id int, type_id smallint, kind smallint, title text, scope text, unit text, price_fen bigint, max_units int,
  minutes int, mode text, safety_fen bigint, efficiency_fen bigint, milestones jsonb, status smallint, sold_count int, goods_id bigint`,
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
] as const;

/** Games in which a service can be offered, with the first kinds of each. */
const gamesOf = (role: Role) =>
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
}

function offersOf(role: Role, providers: readonly { id: number; person: Person }[]): Offer[] {
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
          title: `${game.name} ${kind.label}，${role === COMPANION ? '按小时陪你玩' : '手打不开挂'}`,
          index: i * 100 + game.id * 2 + k,
        })),
      ),
  );
}

type PricedOffer = Offer & { goodsId: number; fen: number; hours: number; at: Date };

const scopeOf = ({ role, title }: Offer) =>
  role === COMPANION
    ? `${title}。语音开黑，打满约定的时间；不上您的号，不做代打。`
    : `${title}。按约定的目标完成，过程每段上传截图；不动皮肤、铭文和好友。`;

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
  o.role === COMPANION ? { play_kind: o.kind, play_voice: true } : { boost_kind: o.kind, boost_hours: o.hours },
  [],
  false,
  false,
  2,
  o.at,
  o.at,
  o.at,
];

const packageRow = (o: PricedOffer, i: number) => [
  `${o.role.sn}${i}`,
  o.providerId,
  o.gameId,
  o.role.typeId,
  o.kind,
  o.title,
  scopeOf(o),
  ...(o.role === COMPANION
    ? ['小时', o.fen, 8, 60, i % 3 === 2 ? 'online' : 'together', 0, 0, []]
    : [
        '次',
        o.fen,
        5,
        o.hours * 60,
        i % 3 === 2 ? 'together' : 'account',
        Math.round(o.fen / 5),
        Math.round(o.fen / 10),
        STAGES[i % STAGES.length],
      ]),
  1,
  i % 7,
  o.goodsId,
];

interface AtWork {
  strangers: readonly Person[];
  /** One package of each at work. */
  evenings: EveningOffer[];
}

async function storeOffers(market: Market, offers: readonly Offer[]): Promise<EveningOffer[]> {
  const ids = await reserveIds(market.client, 'goods', offers.length);
  const priced = offers.map((offer, i): PricedOffer => {
    const next = random(mixSeed(market.seed, offer.index, offer.role.salt));
    return {
      ...offer,
      goodsId: ids[i] ?? 0,
      fen: (offer.role === COMPANION ? integer(next, 15, 60) : integer(next, 20, 300)) * 100,
      hours: integer(next, 4, 48),
      at: market.ago(integer(next, 30, 40 * DAY)),
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
  const first = priced.filter((o, i) => priced.findIndex(({ providerId }) => providerId === o.providerId) === i);
  const { rows } = await market.client.query<{ id: string; goods: string; sn: string }>(
    `select k.id::text, k.goods_id::text as goods, g.sn from service_package k join goods g on g.id = k.goods_id where k.goods_id = any($1::bigint[])`,
    [first.map(({ goodsId }) => goodsId)],
  );
  return first.flatMap((o): EveningOffer[] => {
    const row = rows.find(({ goods }) => Number(goods) === o.goodsId);
    const game = GAMES.find(({ id }) => id === o.gameId);
    if (!row || !game) return [];
    const { providerId, person, gameId, title, fen } = o;
    const same = { providerId, person, gameId, title, fen };
    return [
      {
        ...same,
        goodsSn: row.sn,
        packageId: Number(row.id),
        gameName: game.name,
        gameCode: game.code,
        scope: scopeOf(o),
      },
    ];
  });
}

/** The people of a role with packages in many games, and one application that waits. */
async function storeRole(market: Market, people: readonly Person[], role: Role): Promise<AtWork> {
  const { name, intro, after } = role.waiting;
  const strangers = people
    .filter((p) => p.index > 60 && p.index < after && p.verified && p.distId === 1)
    .slice(0, role.more?.length ?? 0);
  const isAtWork = role.people.length + strangers.length;
  const voices =
    role === COMPANION
      ? await storeVoices(market, [...role.people.flatMap(([index]) => people[index] ?? []), ...strangers])
      : [];
  const games = gamesOf(role).map(({ game }) => game.id);
  const skills = { skills: games.slice(0, 2).map((gameId) => ({ gameId, rank: '最高段位', note: '' })) };
  const chosen = [
    ...role.people.map((one) => ({ person: people[one[0]], name: one[1], intro: one[2], profile: one[3] })),
    ...strangers.map((person, i) => {
      const [name = '', intro = '', profile = {}] = role.more?.[i] ?? [];
      return { person, name, intro, profile };
    }),
    { person: people.find((p) => p.index > after && p.verified), name, intro, profile: {} },
  ].flatMap(({ person, ...rest }) => (person ? [{ person, ...rest }] : []));
  const ids = await reserveIds(market.client, 'provider', chosen.length);
  await insertRows(
    market.client,
    'provider',
    PROVIDER_COLUMNS,
    chosen.map((one, i) => {
      const id = ids[i] ?? 0;
      const isPending = i >= isAtWork;
      const done = isPending ? 0 : Math.max(3, 40 - i * 32);
      return [
        id,
        1,
        one.person.id,
        role.kind,
        isPending ? 'reviewing' : 'approved',
        one.name,
        one.intro,
        `{${games.join(',')}}`,
        encrypt(market.keys, `provider.contact_enc:${id}`, 'QQ 812345678'),
        role === COMPANION ? one.profile : skills,
        1,
        !isPending,
        isPending ? null : staffId(market, 'shenhe'),
        isPending ? null : market.ago(30 * DAY),
        done,
        Math.max(0, done - 2),
        market.ago(isPending ? 300 : 31 * DAY),
        voices[i] ?? null,
      ];
    }),
  );
  const atWork = chosen.slice(0, isAtWork).map(({ person }, i) => ({ id: ids[i] ?? 0, person }));
  return { strangers, evenings: await storeOffers(market, offersOf(role, atWork)) };
}

/** Boosters and companions at work, and the evenings of companions. Returns the postings with their moments. */
export async function storeServices(
  market: Market,
  people: readonly Person[],
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<Dated[]> {
  await storeRole(market, people, BOOSTING);
  const { strangers, evenings } = await storeRole(market, people, COMPANION);
  return [
    ...(await storeCompanionDeposits(market, strangers)),
    ...(await storeEvenings(market, people, evenings, settings, orderIds)),
  ];
}
