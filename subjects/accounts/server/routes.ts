import { giveConsent, pendingConsents } from '#subjects/accounts/contract/consent.ts';
import { sql } from 'kysely';
import { challenge } from '#subjects/accounts/contract/challenge.ts';
import { clientSms, smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { maskPhone } from '#contract/rules/contacts/phone.ts';
import {
  changeEmail,
  closeAccount,
  closeAccountCheck,
  sendEmailCode,
} from '#subjects/accounts/contract/email-and-closing.ts';
import {
  capitalManagement,
  payDebts,
  changeBindPhone,
  changeUserPassword,
  changeUserUsualInfo,
  forgetUserPassWord,
  getUserInviteCode,
  login,
  loginBySmCode,
  logout,
  qqLogin,
  register,
  userInfo,
} from '#subjects/accounts/contract/user.ts';
import { sessionEnd, sessionList } from '#subjects/accounts/contract/sessions.ts';
import { stepUp, stepUpState } from '#subjects/accounts/contract/step-up.ts';
import {
  bindThirdPartyTicket,
  thirdPartyAuthorizationUserFromLogin,
  thirdPartyBindings,
  unBindThirdPartyAuthorization,
  wechatLogin,
  wechatLoginResult,
} from '#subjects/accounts/contract/wechat.ts';
import {
  wechatPhoneConfirm,
  wechatPhoneInfo,
  wechatPhoneScan,
  wechatPlay,
} from '#subjects/accounts/contract/wechat-phone.ts';
import { sweepHits } from '#server/access/limits.ts';
import { removeExpiredSessions } from '#server/access/session-store.ts';
import type { Context } from '#server/context.ts';
import { makeChallenge } from '#server/access/challenge.ts';
import { checkSecret } from '#server/kernel/secrets/argon.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Binding } from '#server/binding.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { checkClosing, closeOwnAccount, ERASE_TIMER, eraseClosed } from './close.ts';
import { changeEmail as bindEmail, sendEmailCode as sendCodeByMail } from './email.ts';
import { changeLoginPassword, changePayPassword } from './passwords.ts';
import { changePhone } from './phone/phone-change.ts';
import { changeUsualInfo, describeCapital, payOwnDebts, describeInvitations, describeUser } from './profile.ts';
import { loadPhone } from './phone/own-phone.ts';
import { endOtherSessions, listSessions } from './session-list.ts';
import { logOut } from './sessions.ts';
import { logIn, logInBySms, registerUser, resetPassword } from './sign-in.ts';
import { agreeTo, loadPendingConsents } from './consents.ts';
import { SMS_RESEND_SECONDS, sendSmsCode } from './phone/sms.ts';
import { describeStepUp, proveOwner } from './step-up.ts';
import { bindTicket, sweepThirdParty, unbind } from './third-party.ts';
import * as byWechat from './wechat-login.ts';
import { bindAccountsStaff } from './staff/routes.ts';

const SWEEP = 'accounts.sweep';
const SWEEP_HOURS = 1;

/** Log-in, registration, the user's own profile, and step-up. */
export async function bindAccounts(binding: Binding): Promise<void> {
  const { ctx, server, effects } = binding;
  bindAccountsStaff(binding);
  server.serve(clientSms, async (call, { phone, type }) => {
    const delivery = await sendSmsCode(call, { phone, purpose: type }, false);
    return { waitSeconds: SMS_RESEND_SECONDS, unconfirmed: delivery === 'unknown' };
  });
  server.serve(smsBindPhone, async (call, { type }) => {
    const phone = await loadPhone(call.ctx, call.user.id);
    const delivery = await sendSmsCode(call, { phone, purpose: type }, true);
    return { waitSeconds: SMS_RESEND_SECONDS, unconfirmed: delivery === 'unknown', phoneMask: maskPhone(phone) };
  });
  server.serve(challenge, makeChallenge);
  server.serve(login, logIn);
  server.serve(loginBySmCode, logInBySms);
  server.serve(register, registerUser);
  server.serve(forgetUserPassWord, async (call, input) => {
    await resetPassword(call, input);
    return {};
  });
  server.serve(logout, async (call) => {
    if (call.caller.user) await logOut({ ...call, user: call.caller.user });
    return {};
  });
  server.serve(qqLogin, () => Promise.reject(new AppError('QQ_LOGIN_CLOSED')));
  server.serve(changeUserPassword, async (call, { kind, ...change }) => {
    await (kind === 'pay' ? changePayPassword : changeLoginPassword)(call, change);
    return {};
  });
  server.serve(changeBindPhone, changePhone);
  server.serve(sessionList, listSessions);
  server.serve(sessionEnd, endOtherSessions);
  server.serve(stepUpState, describeStepUp);
  server.serve(stepUp, proveOwner);
  server.serve(sendEmailCode, sendCodeByMail);
  server.serve(changeEmail, bindEmail);
  server.serve(userInfo, describeUser);
  server.serve(pendingConsents, async ({ ctx, user }) => ({ list: await loadPendingConsents(ctx.db, user.id) }));
  server.serve(giveConsent, async ({ ctx, user, ip }, input) => {
    await inTransaction(ctx.db, async (trx) => await agreeTo(trx, { ...input, userId: user.id, ip }));
    return {};
  });
  server.serve(capitalManagement, describeCapital);
  server.serve(payDebts, payOwnDebts);
  server.serve(getUserInviteCode, describeInvitations);
  server.serve(changeUserUsualInfo, changeUsualInfo);

  server.serve(closeAccountCheck, checkClosing);
  server.serve(closeAccount, closeOwnAccount);
  bindThirdParties(server);

  effects.timer(ERASE_TIMER, eraseClosed);
  effects.every(SWEEP, sweep);
  await schedule(ctx.db, SWEEP, '', { seconds: SWEEP_HOURS * 3600 }, 'keep');
  // Warms up the dummy hash, so that the first unknown phone takes no longer than others.
  await checkSecret(undefined, '');
}

/** Log-in by WeChat, for the browser and for the phone, and the bindings of an account. */
function bindThirdParties(server: Binding['server']): void {
  server.serve(wechatLogin, byWechat.startWechatLogin);
  server.serve(wechatLoginResult, byWechat.wechatLoginState);
  server.serve(thirdPartyAuthorizationUserFromLogin, byWechat.returnFromThirdParty);
  server.serve(thirdPartyBindings, byWechat.listBindings);
  server.serve(bindThirdPartyTicket, bindTicket);
  server.serve(unBindThirdPartyAuthorization, unbind);
  server.serve(wechatPhoneInfo, byWechat.describeWechatLogin);
  server.serve(wechatPhoneScan, byWechat.scanWechatLogin);
  server.serve(wechatPhoneConfirm, byWechat.decideWechatLogin);
  server.serve(wechatPlay, byWechat.playWechat);
}

/** Removes expired sessions, codes and rate limits; runs again in an hour. */
async function sweep(ctx: Context): Promise<void> {
  const { idleMinutes } = ctx.dir.setting('staffSession');
  await removeExpiredSessions(ctx.db, idleMinutes);
  await sql`delete from sms_code where expires_at < now() - interval '1 day'`.execute(ctx.db);
  await sweepHits(ctx.db);
  await sweepThirdParty(ctx);
  await schedule(ctx.db, SWEEP, '', { seconds: SWEEP_HOURS * 3600 });
}
