import type { providerList, reviewProvider, setRecyclerLimit } from '#subjects/providers/contract/staff-providers.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { countedDeposit } from '#subjects/deposits/server/service.ts';
import { type Catalogue, catalogue } from '#subjects/games/server/service.ts';
import { inTransaction } from '#server/db/client.ts';
import { avatarUrl, imageUrl, voiceOf } from '#subjects/media/server/service.ts';
import { changeDayLimit, loadDayLimits } from '#subjects/recycling/server/service.ts';
import {
  decideProvider,
  providerKindNames,
  providerStatusName,
  type ReviewRow,
  reviewList,
} from '#subjects/providers/server/service.ts';
import { audit } from '#server/audit/audit.ts';
import { requirePermission } from '#server/access/permissions.ts';

type Item = HandlerResult<typeof providerList>['list'][number];

const PAGE_SIZE = 20;

const pictureUrls = (pictures: readonly { key: string }[]): Item['pictures'] =>
  pictures.map(({ key }) => ({ url: imageUrl(key), thumb: imageUrl(key, 320) }));

/** The differences of a pending change, as text. */
function changesOf(row: ReviewRow, games: (ids: readonly number[]) => string): Item['pending'] {
  const pending = (row.pending ?? {}) as { name?: string; intro?: string; games?: number[] };
  return [
    ...(pending.name === undefined ? [] : [{ label: '名称', before: row.name, after: pending.name }]),
    ...(pending.intro === undefined ? [] : [{ label: '介绍', before: row.intro, after: pending.intro }]),
    ...(pending.games === undefined ? [] : [{ label: '游戏', before: games(row.games), after: games(pending.games) }]),
  ];
}

async function loadItem(call: StaffCall, all: Catalogue, row: ReviewRow, dayLimit: number | null): Promise<Item> {
  const names = (ids: readonly number[]) => ids.map((id) => all.known(id)?.name ?? String(id));
  const deposit = await countedDeposit(call.ctx.db, row.userId, row.kind);
  const pictures = (row.pending as { pictures?: { key: string }[] } | null)?.pictures ?? [];
  return {
    id: row.id,
    kind: row.kind,
    kindName: providerKindNames[row.kind],
    status: row.status,
    statusName: providerStatusName(row.status),
    userId: String(row.userId),
    nickName: row.nickName,
    distName: row.distName,
    name: row.name,
    avatar: avatarUrl(row.avatar, row.name, row.userId),
    intro: row.intro,
    games: names(row.games),
    contact: row.contact,
    notice: (row.profile as { notice?: string }).notice ?? '',
    pictures: pictureUrls(row.pictures),
    deposit: deposit.countedFen,
    levelName: deposit.reached?.name ?? null,
    doneNum: row.doneCount,
    dayLimit,
    reviewNote: row.reviewNote,
    pending: changesOf(row, (ids) => names(ids).join('、')),
    pendingPictures: pictureUrls(pictures),
    voice: voiceOf(row.voice),
    pendingVoice: voiceOf((row.pending as { voice?: string } | null)?.voice),
    createTime: row.createdAt,
    updateMark: row.updatedAt.toISOString(),
  };
}

/** Applications and providers; operators see those of their own distributor. Throws FORBIDDEN. */
export async function listProviders(
  call: StaffCall,
  input: Parsed<typeof providerList>,
): Promise<HandlerResult<typeof providerList>> {
  requirePermission(call.staff, 'provider.read');
  const limit = input.pageSize ?? PAGE_SIZE;
  const page = input.pages ?? 1;
  const { rows, total } = await reviewList(call.ctx, {
    kind: input.kind,
    status: input.status,
    waiting: input.waiting === true,
    distId: call.staff.distId,
    limit,
    offset: (page - 1) * limit,
  });
  const all = await catalogue(call.ctx);
  const recyclers = rows.filter(({ kind }) => kind === 'recycler').map(({ userId }) => userId);
  const limits = await loadDayLimits(call.ctx.db, recyclers);
  const limitOf = ({ kind, userId }: ReviewRow): number | null =>
    kind === 'recycler' ? (limits.get(userId) ?? null) : null;
  return { list: await Promise.all(rows.map((row) => loadItem(call, all, row, limitOf(row)))), total, next: null };
}

/** Decides on an application or change. Throws FORBIDDEN, PROVIDER_STATE. */
export async function reviewApplication(
  call: StaffCall,
  { id, decision, reason, updateMark }: Parsed<typeof reviewProvider>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'provider.review');
  await decideProvider(ctx, staff, { id, decision, reason, updatedAt: new Date(updateMark) }, (trx, row) =>
    audit(trx, staff, `provider.${decision}`, `user:${row.userId}`, { kind: row.kind, reason }, ip),
  );
  return {};
}

/** Sets a recycler's daily limit, with a reason shown to the recycler. Throws FORBIDDEN, PROVIDER_STATE. */
export async function limitRecycler(
  call: StaffCall,
  { id, limit, seenLimit, reason }: Parsed<typeof setRecyclerLimit>,
): Promise<HandlerResult<typeof setRecyclerLimit>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'provider.review');
  await inTransaction(ctx.db, async (trx) => {
    const change = { providerId: id, distId: staff.distId, staffId: staff.id, fen: limit, seenFen: seenLimit, reason };
    const userId = await changeDayLimit(trx, change);
    await audit(trx, staff, 'provider.limit', `user:${userId}`, { fromFen: seenLimit, toFen: limit, reason }, ip);
  });
  return { limit };
}
