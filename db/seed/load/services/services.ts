import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { storeBoosting } from './boosting.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import { storeEvenings, storeVoices } from './companion-orders.ts';
import type { MarketSettings } from '../trades/trades-price.ts';
import { type Market, staffId } from '../market.ts';
import type { Dated } from '../money/money.ts';
import type { OrderIds } from '../trades/order-ids.ts';
import type { Person } from '../people/people.ts';
import { storeRoleDeposits } from '../money/role-deposits.ts';
import { gamesOf, offersOf, type Role, routedOffers, type ServiceOffer, storeOffers } from './service-packages.ts';
import { countServices } from './service-reviews.ts';

const DAY = 1440;

const BOOSTING: Role = {
  kind: 'booster',
  typeId: OrderType.Boosting,
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
const MORNINGS = daily(6, 10, [0, 1, 2, 3, 4]);
const WEEKENDS = [...daily(19, 24, [0, 1, 2, 3, 4]), ...daily(10, 24, [5, 6])];

const COMPANION: Role = {
  kind: 'companion',
  typeId: OrderType.Companion,
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
    // Without a voice sample, and in no evening's or weekend's list.
    [
      '老陈不急',
      '早起党，工作日早上陪您跑图、做任务，稳着来。',
      { gender: 'male', city: '西安', tags: ['护航', '跑图'], trialMinutes: 0, hours: MORNINGS },
    ],
  ],
  waiting: { after: 170, name: '小柚', intro: '声音温柔，主玩辅助，周末全天在线。' },
  salt: 97,
};

const PROVIDER_COLUMNS = columns(
  `id bigint, dist_id int, user_id bigint, kind text, status text, name text, intro text, games text>int[], contact_enc bytea, profile jsonb,
  deposit_level smallint, online boolean, reviewed_by bigint, reviewed_at timestamptz, created_at timestamptz, voice text`,
);
/** The deposit of each role, in fen: the second level of boosters, the first of companions. */
const DEPOSIT_FEN = { booster: 100_000, companion: 10_000 } as const;

interface AtWork {
  /** The active providers and the applicant. */
  providers: readonly Person[];
  offers: ServiceOffer[];
}

/** The providers of a role with packages in many games, and a pending application. */
async function storeRole(market: Market, people: readonly Person[], role: Role): Promise<AtWork> {
  const { name, intro, after } = role.waiting;
  const strangers = people
    .filter((p) => p.index > 60 && p.index < after && p.verified && p.distId === PLATFORM_DIST_ID)
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
        isPending ? null : market.ago(57 * DAY),
        market.ago(isPending ? 300 : 58 * DAY),
        voices[i] ?? null,
      ];
    }),
  );
  const atWork = chosen.slice(0, isAtWork).map(({ person }, i) => ({ id: ids[i] ?? 0, person }));
  return {
    providers: chosen.map(({ person }) => person),
    offers: await storeOffers(market, [
      ...offersOf(role, atWork),
      ...(role === BOOSTING ? routedOffers(role, atWork) : []),
    ]),
  };
}

/** Active boosters and companions, with their orders in every state. Returns the postings with their times. */
export async function storeServices(
  market: Market,
  people: readonly Person[],
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<Dated[]> {
  const boosting = await storeRole(market, people, BOOSTING);
  const companions = await storeRole(market, people, COMPANION);
  const dated = [
    ...(await storeRoleDeposits(market, [
      ...boosting.providers.map((person) => ({ person, role: 'booster' as const, fen: DEPOSIT_FEN.booster })),
      ...companions.providers.map((person) => ({ person, role: 'companion' as const, fen: DEPOSIT_FEN.companion })),
    ])),
    ...(await storeEvenings(market, people, companions.offers, settings, orderIds)),
    ...(await storeBoosting(market, people, boosting.offers, settings, orderIds)),
  ];
  await countServices(market);
  return dated;
}
