import { generatePeople, type PersonSeed } from '../../generate/people.ts';
import { mixSeed, random, integer } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import { generatePerson, type GeneratedPerson } from './id-card.ts';
import { DEMO_USERS, WITHOUT_PAY_PASSWORD } from '#server/demo/logins.ts';
import type { Market } from '../market.ts';
import { maskIdNo, maskName } from '#subjects/verification/server/rules.ts';
import { maskPhone } from '#contract/rules/contacts/phone.ts';
import { indexed, encryptedValues } from './encrypted-values.ts';

/** One person of the demo market, before or after being stored. */
export interface Person {
  id: number;
  index: number;
  phone: string;
  nickName: string;
  distId: number;
  verified: boolean;
  generated: GeneratedPerson;
  merchant: boolean;
  seed: PersonSeed;
  joinedAgoDays: number;
  online: boolean;
  lastSeenAgoMinutes: number;
  /** Figures of their finished trades; filled by the plan of trades. */
  sold: number;
  ratingSum: number;
  ratingGood: number;
  ratingCount: number;
  paidTotalFen: number;
  /** The level as the market's own rules counted it; absent until then. */
  level?: number;
}

const SHARED_SALT = 41;
/** Everybody in the history of trades was there before it begins. */
const HISTORY_DAYS = 95;

function distOf(market: Market, index: number, site: string | undefined): number {
  const code = site ?? (['youshi', 'youshi', 'youshi', 'moon', 'star'][index % 5] as string);
  return market.dists.get(code) ?? 1;
}

/** Makes the people: the named demo logins first, then strangers. `known` are their ids when they are stored already. */
export async function planPeople(market: Market, count: number, existing?: readonly number[]): Promise<Person[]> {
  const seeds = generatePeople({ seed: market.seed, count });
  const ids = existing ?? (await reserveIds(market.client, 'app_user', count));
  return seeds.map((seed, index): Person => {
    const next = random(mixSeed(market.seed, index, SHARED_SALT));
    const demo = DEMO_USERS[index];
    const online = demo !== undefined || seed.online;
    return {
      id: ids[index] ?? 0,
      index,
      phone: demo?.phone ?? seed.phone,
      nickName: demo?.nickName ?? seed.nickName,
      distId: distOf(market, index, demo?.site),
      verified: demo?.verified ?? next() < 0.94,
      generated: generatePerson(next, index),
      merchant: demo === undefined ? seed.kind === 'merchant' : index === 1 || index === 5,
      seed,
      joinedAgoDays: index === 2 ? 1 : HISTORY_DAYS + seed.joinedAgoDays,
      online,
      // Within the last days: goods of sellers who stay away are hidden (domain.md 4).
      lastSeenAgoMinutes: online ? integer(next, 0, 4) : integer(next, 8, 2600),
      sold: 0,
      ratingSum: 0,
      ratingGood: 0,
      ratingCount: 0,
      paidTotalFen: 0,
    };
  });
}

/** The counted seller level; before the count, an estimate from the sales and their ratings. */
export function sellerLevel(person: Person): number {
  if (person.level !== undefined) return person.level;
  const average = person.ratingCount === 0 ? 5 : person.ratingSum / person.ratingCount;
  const steps: readonly (readonly [sold: number, average: number])[] = [
    [40, 4.7],
    [20, 4.6],
    [10, 4.4],
    [5, 4],
    [1, 0],
  ];
  const at = steps.findIndex(([sold, least]) => person.sold >= sold && average >= least);
  return at < 0 ? 0 : 5 - at;
}

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A short code that is different for each number: digits of the number in an alphabet without look-alikes, scattered. */
function codeOf(n: number, length: number): string {
  let rest = (n * 7_368_787 + 12_345) % ALPHABET.length ** length;
  let out = '';
  for (let i = 0; i < length; i++) {
    out += ALPHABET.charAt(rest % ALPHABET.length);
    rest = Math.floor(rest / ALPHABET.length);
  }
  return out;
}

const USER_COLUMNS = columns(
  `id bigint, dist_id int, phone_hash bytea, phone_enc bytea, phone_mask text, nick_name text, password_hash text, pay_password_hash text, union_num text,
  invite_code text, inviter_id bigint, auth_status smallint, seller_level smallint, sold_count int, rating_sum int, rating_good int, rating_count int,
  paid_total_fen bigint, online boolean, last_seen_at timestamptz, created_at timestamptz`,
);
const NAME_COLUMNS = columns(
  `user_id bigint, name_enc bytea, id_no_enc bytea, id_hash bytea, name_mask text, id_mask text, birth_date date, status smallint,
  provider_ref text, verified_at timestamptz`,
);

/** Stores the people with their real names. All share the two passwords, which are printed anyway. */
export async function storePeople(
  market: Market,
  people: readonly Person[],
  hashes: { login: string; pay: string },
): Promise<void> {
  const { client, keys } = market;
  await insertRows(
    client,
    'app_user',
    USER_COLUMNS,
    people.map((p) => [
      p.id,
      p.distId,
      indexed.phone(keys, p.phone),
      encryptedValues.phone(keys, p.id, p.phone),
      maskPhone(p.phone),
      p.nickName,
      hashes.login,
      p.phone === WITHOUT_PAY_PASSWORD ? null : hashes.pay,
      `U${String((p.id * 7_368_787) % 10_000_000).padStart(7, '0')}`,
      codeOf(p.id, 6),
      inviterOf(people, p),
      p.verified ? 2 : 0,
      sellerLevel(p),
      p.sold,
      p.ratingSum,
      p.ratingGood,
      p.ratingCount,
      p.paidTotalFen,
      p.online,
      market.ago(p.lastSeenAgoMinutes),
      market.ago(p.joinedAgoDays * 1440),
    ]),
  );
  await insertRows(
    client,
    'real_name',
    NAME_COLUMNS,
    people
      .filter((p) => p.verified)
      .map((p) => [
        p.id,
        encryptedValues.realName(keys, p.id, p.generated.realName),
        encryptedValues.idNo(keys, p.id, p.generated.idNo),
        indexed.idNo(keys, p.generated.idNo),
        maskName(p.generated.realName),
        maskIdNo(p.generated.idNo),
        p.generated.birthDate,
        2,
        `DEMO${p.id}`,
        market.ago(Math.max(1, p.joinedAgoDays - 1) * 1440),
      ]),
  );
}

/** Every ninth person came by an invitation. */
export function inviterOf(people: readonly Person[], person: Person): number | null {
  if (person.index < DEMO_USERS.length || person.index % 9 !== 0) return null;
  // Some were invited by the demo buyer; otherwise the buyer's page of rewards would be empty.
  if (person.index % 27 === 0) return people[0]?.id ?? null;
  return people[DEMO_USERS.length + (person.index % 40)]?.id ?? null;
}
