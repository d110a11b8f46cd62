/** Rules of money, guarantees, coupons and log-ins: each with what takes it away. */
import type { Change, Mutant } from './mutant.ts';

const deadline = 'subjects/guarantees/server/deadline.ts';
const postings = 'subjects/orders/server/postings.ts';
const noCoverGuards: readonly Change[] = [
  { file: deadline, search: 'cover: claim.askedFen > limitOf(claim)', replace: 'cover: false' },
  { file: 'subjects/guarantees/server/claims.ts', search: 'if (amount > limitFen)', replace: 'if (amount < 0)' },
  { file: 'subjects/guarantees/server/pay.ts', search: 'if (paid.fen > limitFen)', replace: 'if (paid.fen < 0)' },
];
/** Money comes free early beyond what the seller's deposit covers: without it no trade that is undone is short of money. */
const earlyWithoutDeposit: Change = {
  file: 'subjects/deposits/server/hold.ts',
  search: 'Math.min(hold.openFen, rows[0]?.coveredFen ?? 0)',
  replace: 'hold.openFen',
};

const endsByTwo = "= ['pay', 'refuse', 'recovered'];";

export const moneyMutants: readonly Mutant[] = [
  {
    name: 'early-without-deposit',
    rule: 'money comes free early up to the seller’s deposit',
    theme: 'settle',
    changes: [earlyWithoutDeposit],
  },
  {
    name: 'undone-without-debt',
    rule: 'what is missing when a trade is undone is a debt (with the rule before off)',
    theme: 'claims',
    except: 'more came free early',
    changes: [
      earlyWithoutDeposit,
      {
        file: 'subjects/orders/server/undo.ts',
        search: 'if (shortFen > 0) await owe(',
        replace: 'if (shortFen < 0) await owe(',
      },
    ],
  },
  {
    name: 'short-ruled-alone',
    rule: 'a ruling that the seller’s hold and deposit do not cover needs two persons (with early money unbounded)',
    theme: 'staff',
    except: 'more came free early',
    changes: [
      earlyWithoutDeposit,
      {
        file: 'subjects/back-office/server/trade/disputes.ts',
        search: ' || (await loadFundNeed(ctx.db, order, refund)) > 0) {',
        replace: ') {',
      },
    ],
  },
  {
    name: 'debtor-keeps-income',
    rule: 'income pays debts first',
    theme: 'debts',
    changes: [{ sql: 'ledger_post', search: 'if v_income is not null then', replace: 'if false then' }],
  },
  {
    name: 'claim-without-recourse',
    rule: 'what the fund pays is the seller’s debt',
    theme: 'claims',
    changes: [{ file: 'subjects/guarantees/server/pay.ts', search: 'if (debtFen > 0)', replace: 'if (debtFen < 0)' }],
  },
  {
    name: 'fund-by-one-name',
    rule: 'the fund pays what two persons decided (in the calls, in the decision and in the database)',
    theme: 'claims',
    changes: [
      {
        file: 'subjects/back-office/server/trade/claims.ts',
        search: endsByTwo,
        replace: "= ['refuse', 'recovered'];",
      },
      {
        file: 'subjects/guarantees/server/decide.ts',
        search: 'else if (staff.approvalId === undefined)',
        replace: "else if (action !== 'pay' && staff.approvalId === undefined)",
      },
      {
        file: 'subjects/guarantees/server/decide.ts',
        search: 'const by = { approvalId: staff.approvalId };',
        replace: 'const by = { claimId: claim.id };',
      },
      { sql: 'fund_release_holds', search: 'c.deadline_at <= now() and ', replace: '' },
    ],
  },
  {
    name: 'claim-refused-alone',
    rule: 'a claim is refused, or said to be recovered, by two persons (in the calls and in the decision)',
    theme: 'staff',
    changes: [
      { file: 'subjects/back-office/server/trade/claims.ts', search: endsByTwo, replace: "= ['pay'];" },
      {
        file: 'subjects/guarantees/server/decide.ts',
        search: 'else if (staff.approvalId === undefined)',
        replace: "else if (action === 'pay' && staff.approvalId === undefined)",
      },
    ],
  },
  {
    name: 'deadline-above-limit',
    rule: 'the deadline pays up to the limit of one person (in the application and in the database)',
    theme: 'claims',
    changes: [
      { file: deadline, search: 'limit: claim.askedFen > secondPersonFen', replace: 'limit: false' },
      {
        sql: 'fund_release_holds',
        search: "or new.amount_fen > (setting_now('withdraw')->>'secondPersonFen')::bigint",
        replace: "or new.amount_fen > 1000 * (setting_now('withdraw')->>'secondPersonFen')::bigint",
      },
    ],
  },
  {
    name: 'deadline-beyond-cover',
    rule: 'a claim is paid up to what its reason covers (asked for, at the deadline, and when it is paid)',
    theme: 'claims',
    changes: noCoverGuards,
  },
  {
    name: 'deadline-among-friends',
    rule: 'the deadline pays nothing between people who are linked',
    theme: 'claims',
    changes: [{ file: deadline, search: 'related: details.related', replace: 'related: false' }],
  },
  {
    name: 'deadline-at-a-loss',
    rule: 'the deadline pays what comes back from the seller and the premium',
    theme: 'claims',
    changes: [
      {
        file: deadline,
        search: 'loss: claim.askedFen - reachFen - details.premium > autoLossFen',
        replace: 'loss: false',
      },
    ],
  },
  {
    name: 'share-at-once',
    rule: 'a distributor’s share matures with the protection of its sale',
    theme: 'settle',
    changes: [
      {
        file: postings,
        search: 'account.distMaturing(o.distId), o.distShareFen',
        replace: 'account.commission(o.distId), o.distShareFen',
      },
    ],
  },
  {
    name: 'reward-at-once',
    rule: 'an inviter’s reward matures with the protection of its sale',
    theme: 'settle',
    changes: [
      {
        file: postings,
        search: 'account.maturing(o.inviterId), o.inviteRewardFen',
        replace: 'account.available(o.inviterId), o.inviteRewardFen',
      },
    ],
  },
  {
    name: 'hold-ended-alone',
    rule: 'two persons end the protection of a sale above the limit or without its buyer’s confirmation',
    theme: 'staff',
    changes: [
      {
        file: 'subjects/back-office/server/money/holds.ts',
        search: 'const needsSecond = needsTwo(call, hold);',
        replace: 'const needsSecond = false;',
      },
    ],
  },
  {
    name: 'coupon-among-friends',
    rule: 'coupons are not used between people who are linked',
    theme: 'coupon',
    changes: [
      {
        file: 'subjects/promotions/server/queries.ts',
        search: 'rows[0]?.linked === true ? BARRED : null',
        replace: 'rows[0]?.linked === undefined ? BARRED : null',
      },
    ],
  },
  {
    name: 'closing-with-debts',
    rule: 'an account with a debt is not closed',
    theme: 'debts',
    changes: [
      { file: 'subjects/accounts/server/close.ts', search: 'has?.debts === false', replace: 'has !== undefined' },
    ],
  },
  {
    name: 'login-is-enough',
    rule: 'a log-in proves the log-in only',
    theme: 'thief',
    changes: [
      {
        file: 'subjects/accounts/server/step-up.ts',
        search: 'if (await isProofValid(ctx.db, user, purpose)) return;',
        replace: 'if (!(await isProofValid(ctx.db, user, purpose))) return;',
      },
    ],
  },
  {
    name: 'repeat-is-refused',
    rule: 'a call that is repeated under its key is told what it was told',
    theme: 'honest',
    changes: [
      { file: 'server/db/idempotent.ts', search: 'return run?.result ?? undefined;', replace: 'return undefined;' },
    ],
  },
];
