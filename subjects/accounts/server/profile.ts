import { AuthStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { isAdultOn } from '#subjects/verification/rules/adult.ts';
import { securityScore, vipLevel } from '#subjects/seller-levels/rules/standing.ts';
import { UNREAD_MAX } from '#contract/rules/limits.ts';
import { inTransaction } from '#server/db/client.ts';
import type { UserCall } from '#server/access/call.ts';
import { markSessionSeen } from '#server/access/session-store.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  loadBalances,
  collectDebts,
  type Debt,
  loadDebts,
  openDebtFen,
  openHolds,
  owedTo,
  turnover30,
} from '#subjects/ledger/server/service.ts';
import { avatarUrl, ownPictures } from '#subjects/media/server/service.ts';
import { invitations, ownRow, touch } from './queries.ts';
import { contactLocation, nicknameError } from './rules.ts';

/** Interval in seconds at which the use of a session is recorded. */
const SEEN_SECONDS = 300;

/** A contact as shown to its owner: two characters at either end. */
const maskedContact = (contact: string): string =>
  contact === '' ? '' : `${contact.slice(0, 2)}****${contact.slice(-2)}`;

const one = (flag: boolean): number => (flag ? 1 : 0);

/** The signed-in user with every field of the specification (product.md 3). */
export async function describeUser(call: UserCall) {
  const { ctx, user } = call;
  const [row, balances] = await Promise.all([ownRow(ctx.db, user.id), loadBalances(ctx.db, user.id)]);
  if (!row) throw new AppError('LOGIN_REQUIRED');
  if (row.stale) await touch(ctx.db, user.id);
  await markSessionSeen(ctx.db, user.sessionHash, SEEN_SECONDS);
  const avatar = avatarUrl(row.avatar, row.nick_name, row.id);
  return {
    userId: String(row.id),
    nickName: row.nick_name,
    actor: avatar,
    avatar,
    unionNum: row.union_num,
    coin: balances.availableFen,
    frozenCoin: balances.frozenFen,
    depositCoin: balances.depositFen,
    inviteCode: row.invite_code,
    sellGoodsNum: row.selling,
    followNum: row.following,
    authStatus: row.auth_status,
    isAdult: row.auth_status === AuthStatus.Verified && row.birth !== null && isAdultOn(row.birth, new Date()),
    realNameMask: row.name_mask,
    contactMask: row.contact_mask,
    phoneMask: row.phone_mask,
    isHadPhone: true,
    isHadPassWord: row.has_password,
    isPayPassWord: row.has_pay,
    isHadEmail: row.has_email,
    aliAccount: row.ali,
    wxAccount: row.wx,
    bankAccount: row.bank,
    isQuickShop: one(row.is_quick_shop),
    isBooster: one(row.is_booster),
    isAccompanyer: one(row.is_accompanyer),
    isOnline: row.online,
    sellerLevel: row.seller_level,
    vipLevel: vipLevel(row.paid_total_fen),
    securityScore: securityScore({
      authStatus: row.auth_status,
      isHadPhone: true,
      isHadPassWord: row.has_password,
      isPayPassWord: row.has_pay,
      isHadEmail: row.has_email,
      isHadPayout: row.ali !== null || row.wx !== null || row.bank !== null,
    }),
    // Counting one more than the badge's limit is enough to show '99+'.
    unread: Math.min(row.unread, UNREAD_MAX + 1),
    createTime: row.created_at,
  };
}

/** Balances, the last 30 days, and every hold with its reason and its end. */
export async function describeCapital(call: UserCall) {
  const { db } = call.ctx;
  const [balances, turnover, holds, debts, owed] = await Promise.all([
    loadBalances(db, call.user.id),
    turnover30(db, call.user.id),
    openHolds(db, call.user.id),
    loadDebts(db, { userId: call.user.id }),
    owedTo(db, call.user.id),
  ]);
  return {
    coin: balances.availableFen,
    frozenCoin: balances.frozenFen,
    depositCoin: balances.depositFen,
    income30: turnover.incomeFen,
    expense30: turnover.expenseFen,
    holds: holds.map((hold) => ({
      amount: hold.amountFen,
      code: hold.code,
      reason: hold.reason,
      ref: hold.ref,
      orderSn: hold.orderSn,
      releaseTime: hold.releaseAt,
      createTime: hold.createdAt,
      stages: hold.stages.map((stage) => ({
        amount: stage.amountFen,
        time: stage.releasedAt ?? stage.dueAt,
        released: stage.releasedAt !== null,
      })),
    })),
    debts: debts.map(debtView),
    owed: owed.map(debtView),
  };
}

const debtView = (d: Debt) => ({
  debtId: d.id,
  amount: d.amountFen,
  rest: d.amountFen - d.paidFen,
  reason: d.reason,
  orderSn: d.orderSn,
  createTime: d.createdAt,
  settledTime: d.settledAt,
});

/** Pays the caller's debts from the balance, oldest first; idempotent by key. Amounts in fen. */
export async function payOwnDebts({ ctx, user, idem }: UserCall): Promise<{ paid: number; rest: number }> {
  return await inTransaction(ctx.db, (trx) =>
    idempotent(trx, idem, async () => ({
      paid: await collectDebts(trx, user.id),
      rest: await openDebtFen(trx, user.id),
    })),
  );
}

/** The invite code and its link on the requested site. */
export async function describeInvitations(call: UserCall) {
  const { code, invited, rewardFen } = await invitations(call.ctx.db, call.user.id);
  return { inviteCode: code, shareUrl: `${call.origin}/register?inviteCode=${code}`, invited, rewardTotal: rewardFen };
}

/** Changes nickname, picture or the online switch. Throws BAD_INPUT for an invalid name, PICTURE_BROKEN for the picture of another user. */
export async function changeUsualInfo(
  call: UserCall,
  change: {
    nickName?: string | undefined;
    avatar?: string | undefined;
    isOnline?: boolean | undefined;
    contact?: string | undefined;
  },
): Promise<{ nickName: string }> {
  const { nickName, avatar, isOnline, contact } = change;
  const contactEnc = contact ? encrypt(call.ctx.keys, contactLocation(call.user.id), contact) : null;
  const errorText = nickName === undefined ? undefined : nicknameError(nickName);
  if (errorText !== undefined) throw new AppError('BAD_INPUT', { text: errorText, field: 'nickName' });
  return await inTransaction(call.ctx.db, async (trx) => {
    if (avatar !== undefined && avatar !== '') await ownPictures(trx, call.user.id, 'avatar', [avatar]);
    const { rows } = await sql<{ nick_name: string }>`
      update app_user set nick_name = coalesce(${nickName ?? null}, nick_name), online = coalesce(${isOnline ?? null}, online),
        avatar = case when ${avatar ?? null}::text is null then avatar else nullif(${avatar ?? null}, '') end,
        contact_enc = case when ${contact ?? null}::text is null then contact_enc else ${contactEnc}::bytea end,
        contact_mask = coalesce(${contact === undefined ? null : maskedContact(contact)}, contact_mask)
      where id = ${call.user.id} returning nick_name`.execute(trx);
    return { nickName: rows[0]?.nick_name ?? call.user.nickName };
  });
}
