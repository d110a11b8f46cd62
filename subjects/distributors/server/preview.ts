import { StaffStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { type BrandContent, confOf } from '#subjects/distributors/contract/brand-content.ts';
import type { Context } from '#server/context.ts';
import type { Distributor } from '#server/directory/directory.ts';
import { derivedToken, sameText } from '#server/kernel/secrets/crypto.ts';
import { storedContent } from './versions.ts';

/** Lifetime of a preview URL. */
const PREVIEW_MS = 60 * 60_000;
export const PREVIEW_COOKIE = 'preview';
const TOKEN = /^(\d{1,9})\.(\d{1,15})\.(\d{13})\.([\w-]{43})$/;

const signature = (ctx: Pick<Context, 'keys'>, signed: string): string =>
  derivedToken(ctx.keys, signed, 'brand-preview');

/** Stores the working copy of a member of staff, one per brand. Returns the time of storage. */
export async function keepDraft(
  { db }: Pick<Context, 'db'>,
  draft: { distId: number; staffId: number; base: number; content: BrandContent },
): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    insert into brand_draft (dist_id, staff_id, base_version, content)
    values (${draft.distId}, ${draft.staffId}, ${draft.base}, ${JSON.stringify(draft.content)}::jsonb)
    on conflict (dist_id, staff_id) do update set base_version = excluded.base_version, content = excluded.content, updated_at = now()
    returning updated_at as at`.execute(db);
  return rows[0]?.at ?? new Date();
}

/** The preview URL of a member of staff's working copy on the brand's site, and its expiry. */
export function previewAddress(
  ctx: Pick<Context, 'keys' | 'dir'>,
  { distId, staffId }: { distId: number; staffId: number },
): { url: string; until: Date } {
  const until = Date.now() + PREVIEW_MS;
  const signed = `${distId}.${staffId}.${until}`;
  return {
    url: `${ctx.dir.originOf(distId)}/?preview=${signed}.${signature(ctx, signed)}`,
    until: new Date(until),
  };
}

export interface Preview {
  /** The brand with the content of the working copy. */
  dist: Distributor;
  token: string;
  until: Date;
}

/**
 * The preview requested by a signed token of a page request. Undefined when it is forged or expired, when its member of staff has logged out
 * or lost the right to the brand, or when `host` is the site of another brand. A brand without a host is shown on the platform's. When the
 * working copy was published or discarded meanwhile, the preview shows the live content: frames that are still loading must not be rejected.
 */
export async function loadPreview(
  ctx: Context,
  token: string | undefined,
  host: Distributor,
): Promise<Preview | undefined> {
  const match = TOKEN.exec(token ?? '');
  if (!match || token === undefined) return undefined;
  const [distId = 0, staffId = 0, until = 0] = match.slice(1, 4).map(Number);
  const signed = token.slice(0, token.lastIndexOf('.'));
  if (until < Date.now() || !sameText(match[4] ?? '', signature(ctx, signed))) return undefined;
  const live = ctx.dir.byId(distId);
  if (!live || (host.id !== distId && host.id !== 1)) return undefined;
  const { rows } = await sql<{ content: unknown }>`
    select f.content from staff s left join brand_draft f on f.staff_id = s.id and f.dist_id = ${distId}
    where s.id = ${staffId} and s.status = ${sql.lit(StaffStatus.Active)} and coalesce(s.dist_id, ${distId}) = ${distId}
      and exists (select from session x where x.staff_id = s.id and x.expires_at > now())`.execute(ctx.db);
  if (!rows[0]) return undefined;
  const shown = { token, until: new Date(until) };
  if (rows[0].content === null) return { dist: live, ...shown };
  const content = storedContent(rows[0].content);
  const { id, code } = live;
  const dist: Distributor = {
    ...live,
    name: content.name,
    games: content.games,
    conf: {
      ...confOf(content),
      distId: id,
      distCode: code,
      ...(live.conf.suspendNotice !== undefined && { suspendNotice: live.conf.suspendNotice }),
    },
  };
  return { dist, ...shown };
}
