import { sql } from 'kysely';
import { maskContacts } from '#contract/rules/contacts/contacts.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import type { Context } from '#server/context.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { ownPictures, ownVoice } from '#subjects/media/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { contactAad, type ProviderRow, loadProvider } from './queries.ts';
import { MAY_APPLY, type ProviderKind } from './rules.ts';

export {
  providerById,
  providerGoodRate,
  providerOnTimeRate,
  type ProviderRow,
  loadProvider,
  recordOf,
} from './queries.ts';
export { decideProvider, type ReviewRow, reviewList } from './review.ts';
export { type ProviderKind, providerKindNames, type ProviderStatus, providerStatusName } from './rules.ts';

/** The common part of the form; the kind's own part is `profile`. */
export interface ProviderForm {
  name?: string | undefined;
  intro?: string | undefined;
  gameIds?: number[] | undefined;
  contact?: string | undefined;
  avatar?: string | undefined;
  pictures?: string[] | undefined;
  /** Key of an uploaded voice clip. */
  voice?: string | undefined;
  isOnline?: boolean | undefined;
  depositLevel?: number | undefined;
}

type Profile = Record<string, unknown>;

async function validGames(ctx: Context, ids: readonly number[]): Promise<number[]> {
  const all = await catalogue(ctx);
  const unique = [...new Set(ids)];
  if (unique.some((id) => all.game(id) === undefined))
    throw new AppError('BAD_INPUT', { text: '所选游戏不存在', field: 'gameIds' });
  return unique;
}

/** A name has only a few characters, so one with contact data is rejected instead of cut, like a nickname. Throws BAD_INPUT. */
function publicName(name: string): string {
  if (maskContacts(name).masked) throw new AppError('BAD_INPUT', { text: '名称不能包含联系方式', field: 'name' });
  return name;
}

async function storeContact(ctx: Context, trx: Trx, id: number, contact: string): Promise<void> {
  await sql`update provider set contact_enc = ${encrypt(ctx.keys, contactAad(id), contact)} where id = ${id}`.execute(
    trx,
  );
}

/** Adds an entry to a provider's history and returns its id. */
export async function note(trx: Trx, id: number, kind: string, actor: string, detail: Profile = {}): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into provider_event (provider_id, kind, actor, detail)
    values (${id}, ${kind}, ${actor}, ${JSON.stringify(detail)}::jsonb) returning id`.execute(trx);
  return rows[0]?.id ?? 0;
}

/**
 * Applies for a role: a verified adult, once at a time. A user who was rejected or has left may apply again with the same record. Throws
 * REAL_NAME_REQUIRED, REAL_NAME_MINOR, PROVIDER_STATE, BAD_INPUT (also for contact data in the name), PICTURE_BROKEN.
 */
export async function applyProvider(
  call: UserCall,
  kind: ProviderKind,
  form: ProviderForm & { name: string; intro: string; gameIds: number[]; contact: string },
  profile: Profile,
): Promise<ProviderRow> {
  const { ctx, user, dist } = call;
  const { id } = await orEarlier(ctx.db, call.idem, async () => {
    await requireAdult(ctx.db, user.id);
    const games = await validGames(ctx, form.gameIds);
    const [name, intro] = [publicName(form.name), publishable(ctx.blockedWords, '介绍', form.intro, 'intro')];
    return await inTransaction(ctx.db, async (trx) =>
      idempotent(trx, call.idem, async () => {
        const pictures = JSON.stringify(await ownPictures(trx, user.id, 'evidence', form.pictures ?? []));
        const voice = form.voice === undefined ? null : await ownVoice(trx, user.id, form.voice);
        const { rows } = await sql<{ id: number }>`
        insert into provider (dist_id, user_id, kind, name, intro, games, profile, pictures, deposit_level, voice)
        values (${dist.id}, ${user.id}, ${kind}, ${name}, ${intro}, ${games}, ${JSON.stringify(profile)}::jsonb, ${pictures}::jsonb,
          ${form.depositLevel ?? 1}, ${voice})
        on conflict (user_id, kind) do update set status = 'reviewing', name = excluded.name, intro = excluded.intro, games = excluded.games,
          profile = excluded.profile, pictures = excluded.pictures, deposit_level = excluded.deposit_level, voice = excluded.voice, pending = null, updated_at = now()
          where provider.status = any(${[...MAY_APPLY]})
        returning id`.execute(trx);
        const created = rows[0];
        if (!created) throw new AppError('PROVIDER_STATE', { text: '您已提交过申请，请等待审核' });
        await storeContact(ctx, trx, created.id, form.contact);
        await note(trx, created.id, 'applied', `user:${user.id}`);
        return created;
      }),
    );
  });
  return await must(ctx.db, user.id, kind, id);
}

async function must(trx: Trx, userId: number, kind: ProviderKind, id: number): Promise<ProviderRow> {
  const row = await loadProvider(trx, userId, kind);
  if (row?.id !== id) throw new AppError('PROVIDER_STATE');
  return row;
}

/** The public part of a change, which is pending until its review while the old one stays in use. */
async function publicPart(ctx: Context, trx: Trx, userId: number, form: ProviderForm): Promise<Profile> {
  const voice = form.voice === undefined ? undefined : await ownVoice(trx, userId, form.voice);
  const [pictures, avatar] = await Promise.all([
    form.pictures ? ownPictures(trx, userId, 'evidence', form.pictures) : undefined,
    form.avatar ? ownPictures(trx, userId, 'avatar', [form.avatar]) : undefined,
  ]);
  return {
    ...(form.name === undefined ? {} : { name: publicName(form.name) }),
    ...(form.intro === undefined ? {} : { intro: publishable(ctx.blockedWords, '介绍', form.intro, 'intro') }),
    ...(form.gameIds === undefined ? {} : { games: await validGames(ctx, form.gameIds) }),
    ...(pictures ? { pictures } : {}),
    ...(avatar?.[0] ? { avatar: avatar[0].key } : {}),
    ...(voice === undefined ? {} : { voice }),
  };
}

/**
 * Changes one's record. Name, introduction, games, pictures, voice of an approved one wait for review; the kind's own part (`profile`),
 * contact and presence take effect immediately. act leave closes it (`mayLeave` refuses while something is open), rejoin asks for review again.
 * `also` runs in the same transaction with the record as it was.
 * Throws PROVIDER_REQUIRED, PROVIDER_STATE, BAD_INPUT.
 */
export async function changeProvider(
  call: UserCall,
  kind: ProviderKind,
  form: ProviderForm & { act: 'save' | 'leave' | 'rejoin' },
  profile: Profile,
  mayLeave: (trx: Trx, row: ProviderRow) => Promise<void>,
  also?: (trx: Trx, row: ProviderRow) => Promise<void>,
): Promise<ProviderRow> {
  const { ctx, user } = call;
  return await inTransaction(ctx.db, async (trx) => {
    await idempotent(trx, call.idem, async () => {
      const row = await loadProvider(trx, user.id, kind, true);
      if (!row) throw new AppError('PROVIDER_REQUIRED');
      if (form.act === 'leave') await leave(trx, row, mayLeave);
      else if (form.act === 'rejoin') await rejoin(trx, row);
      else await save(ctx, trx, row, form, profile);
      await also?.(trx, row);
      return {};
    });
    const row = await loadProvider(trx, user.id, kind);
    if (!row) throw new AppError('PROVIDER_REQUIRED');
    return row;
  });
}

async function leave(trx: Trx, row: ProviderRow, mayLeave: (trx: Trx, row: ProviderRow) => Promise<void>) {
  if (row.status === 'left') return;
  if (row.status === 'suspended') throw new AppError('PROVIDER_STATE', { text: '资格已被暂停，请联系客服' });
  await mayLeave(trx, row);
  await sql`update provider set status = 'left', online = false, pending = null, updated_at = now() where id = ${row.id}`.execute(
    trx,
  );
  await note(trx, row.id, 'left', `user:${row.userId}`);
}

async function rejoin(trx: Trx, row: ProviderRow) {
  if (!MAY_APPLY.includes(row.status)) throw new AppError('PROVIDER_STATE');
  await sql`update provider set status = 'reviewing', updated_at = now() where id = ${row.id}`.execute(trx);
  await note(trx, row.id, 'applied', `user:${row.userId}`);
}

async function save(ctx: Context, trx: Trx, row: ProviderRow, form: ProviderForm, profile: Profile) {
  if (row.status === 'left' || row.status === 'refused') throw new AppError('PROVIDER_STATE', { text: '请重新申请' });
  const visibleForm = await publicPart(ctx, trx, row.userId, form);
  const changes = Object.keys(visibleForm).length > 0;
  const own = JSON.stringify(profile);
  const online = form.isOnline ?? row.online;
  if (changes && row.status === 'reviewing') {
    // A change that was not reviewed yet is replaced.
    await sql`update provider p set name = coalesce(n.name, p.name), intro = coalesce(n.intro, p.intro), games = coalesce(n.games, p.games),
        pictures = coalesce(n.pictures, p.pictures), avatar = coalesce(n.avatar, p.avatar), voice = coalesce(n.voice, p.voice)
      from jsonb_to_record(${JSON.stringify(visibleForm)}::jsonb) as n(name text, intro text, games int[], pictures jsonb, avatar text, voice text) where p.id = ${row.id}`.execute(
      trx,
    );
  } else if (changes) {
    await sql`update provider set pending = coalesce(pending, '{}') || ${JSON.stringify(visibleForm)}::jsonb where id = ${row.id}`.execute(
      trx,
    );
  }
  await sql`update provider set profile = profile || ${own}::jsonb, online = ${online}, updated_at = now() where id = ${row.id}`.execute(
    trx,
  );
  if (form.contact !== undefined) await storeContact(ctx, trx, row.id, form.contact);
  if (changes) await note(trx, row.id, 'changed', `user:${row.userId}`, { fields: Object.keys(visibleForm) });
}

/** Counts an order that was paid back because its provider did not appear. */
export async function countNoShow(trx: Trx, providerId: number): Promise<void> {
  await sql`update provider set no_show_count = no_show_count + 1 where id = ${providerId}`.execute(trx);
  await note(trx, providerId, 'no_show', 'timer');
}
