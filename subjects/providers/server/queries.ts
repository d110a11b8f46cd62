import { sql } from 'kysely';
import type { z } from 'zod';
import type { providerRecord } from '#subjects/providers/contract/provider.ts';
import type { Trx } from '#server/db/client.ts';
import type { Catalogue } from '#subjects/games/server/service.ts';
import { avatarUrl, companionAvatar, imageUrl } from '#subjects/media/server/service.ts';
import type { CountedDeposit } from '#subjects/deposits/server/service.ts';
import { type ProviderKind, type ProviderStatus, providerStatusName } from './rules.ts';

/** A user's record for one role. */
export interface ProviderRow {
  id: number;
  distId: number;
  userId: number;
  kind: ProviderKind;
  status: ProviderStatus;
  name: string;
  avatar: string | null;
  intro: string;
  games: number[];
  profile: Record<string, unknown>;
  pictures: { key: string }[];
  depositLevel: number;
  online: boolean;
  reviewNote: string | null;
  pending: Record<string, unknown> | null;
  doneCount: number;
  onTimeCount: number;
  ratingSum: number;
  ratingCount: number;
  /** Key of the voice clip; companions have one. */
  voice: string | null;
  noShowCount: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Additional authenticated data of a provider's encrypted contact. */
export const contactAad = (id: number): string => `provider.contact_enc:${id}`;

export const PROVIDER_COLUMNS = sql`p.id, p.dist_id as "distId", p.user_id as "userId", p.kind, p.status, p.name, p.avatar, p.intro, p.games, p.profile,
  p.pictures, p.deposit_level as "depositLevel", p.online, p.review_note as "reviewNote", p.pending, p.done_count as "doneCount",
  p.on_time_count as "onTimeCount", p.rating_sum as "ratingSum", p.rating_count as "ratingCount", p.voice, p.no_show_count as "noShowCount", p.created_at as "createdAt", p.updated_at as "updatedAt"`;

/** A user's record of a kind; undefined if the user never applied. `lock` locks it until the transaction ends. */
export async function loadProvider(
  db: Trx,
  userId: number,
  kind: ProviderKind,
  lock = false,
): Promise<ProviderRow | undefined> {
  const { rows } = await sql<ProviderRow>`
    select ${PROVIDER_COLUMNS} from provider p where user_id = ${userId} and kind = ${kind} ${lock ? sql`for update` : sql``}`.execute(
    db,
  );
  return rows[0];
}

/** A provider's record by its id. */
export async function providerById(db: Trx, id: number): Promise<ProviderRow | undefined> {
  const { rows } = await sql<ProviderRow>`select ${PROVIDER_COLUMNS} from provider p where id = ${id}`.execute(db);
  return rows[0];
}

const percent = (part: number, total: number): number | null =>
  total === 0 ? null : Math.round((part / total) * 1000) / 10;

/** Share of good ratings in percent, rounded as users' own ratings are; null without any. */
/** Minimum number of orders for showing the share of punctual ones. */
const ENOUGH_ORDERS = 10;

/** How many of its orders a provider finished in time, in percent with one decimal; null while there are too few. */
export const providerOnTimeRate = ({
  doneCount,
  onTimeCount,
}: Pick<ProviderRow, 'doneCount' | 'onTimeCount'>): number | null =>
  doneCount < ENOUGH_ORDERS ? null : Math.round((onTimeCount / doneCount) * 1000) / 10;

export const providerGoodRate = (row: Pick<ProviderRow, 'ratingSum' | 'ratingCount'>): number | null =>
  row.ratingCount === 0 ? null : Math.round((row.ratingSum / row.ratingCount / 5) * 1000) / 10;

type Record_ = { [K in keyof typeof providerRecord]: z.input<(typeof providerRecord)[K]> };

/** A provider's record for its owner. Amounts in fen. */
export function recordOf(row: ProviderRow, all: Catalogue, deposit: CountedDeposit): Record_ {
  const levelSetting = deposit.levels.find(({ level }) => level === row.depositLevel) ?? deposit.levels[0];
  return {
    status: row.status,
    statusName: providerStatusName(row.status),
    reviewNote: row.reviewNote,
    hasPending: row.pending !== null,
    name: row.name,
    avatar: row.kind === 'companion' ? companionAvatar(row) : avatarUrl(row.avatar, row.name, row.userId),
    intro: row.intro,
    games: row.games.map((gameId) => ({ gameId, name: all.known(gameId)?.name ?? '' })),
    pictures: row.pictures.map(({ key }) => ({ key, url: imageUrl(key) })),
    online: row.online,
    deposit: {
      level: deposit.reached?.level ?? 0,
      levelName: deposit.reached?.name ?? null,
      paid: deposit.countedFen,
      required: levelSetting?.amountFen ?? null,
    },
    doneNum: row.doneCount,
    onTimeRate: percent(row.onTimeCount, row.doneCount),
    goodRate: providerGoodRate(row),
    createTime: row.createdAt,
  };
}
