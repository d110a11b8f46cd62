/** Rules of recycling, boosting and inspections: each with what takes it away. */
import type { Mutant } from './mutant.ts';

const decide = 'subjects/recycling/server/accounts/decide.ts';
const recycled = 'subjects/recycling/server/staff/recycled.ts';
const acts = 'subjects/services/server/actions.ts';

export const serviceMutants: readonly Mutant[] = [
  {
    name: 'platform-pays-what-was-said',
    rule: 'the platform pays at most its floor of the account as it was read',
    theme: 'recycling',
    changes: [
      {
        file: 'subjects/recycling/server/accounts/inspect.ts',
        search: 'Math.max(0, (r.bestFen ?? 0) - cutFen - floorFen)',
        replace: '0',
      },
    ],
  },
  {
    name: 'recycled-at-once',
    rule: 'what a recycler pays is held until the account was taken over',
    theme: 'recycling',
    changes: [
      {
        file: decide,
        search: 'settleRecycled(ctx, trx, { orderId: r.orderId, takeOverSeconds, note',
        replace: 'settleRecycled(ctx, trx, { orderId: r.orderId, takeOverSeconds: 0, note',
      },
    ],
  },
  {
    name: 'recycled-ended-early',
    rule: 'finance cannot end the hold of a recycled account early',
    theme: 'recycling',
    changes: [
      {
        file: 'subjects/back-office/server/money/holds.ts',
        search: "if (hold.recycled) throw errorOf('ORDER_STATE', 'holdOfRecycled');",
        replace: '',
      },
    ],
  },
  {
    name: 'platform-taken-alone',
    rule: 'two who have not read it say that the platform took an account over',
    theme: 'recycling',
    changes: [
      {
        file: recycled,
        search:
          'if (!(await requestOrConfirm(call, request, (trx) => requireHeld(trx, orderId)))) return { waits: true };',
        replace: '',
      },
      { file: recycled, search: 'await approveRequest(trx, call, request);', replace: '' },
    ],
  },
  {
    name: 'platform-not-contested',
    rule: 'staff open a case where the platform cannot take over what it bought',
    theme: 'recycling',
    changes: [
      {
        file: recycled,
        search: 'if (input.failed === true) {',
        replace: 'if (input.failed === true && call.ip === null) {',
      },
    ],
  },
  {
    name: 'gives-up-with-the-money',
    rule: 'a booster who gives up has the confirmed stages only',
    theme: 'boosting',
    changes: [
      {
        file: acts,
        search: 'endService(ctx, trx, order, refundableFen(order), {',
        replace: 'endService(ctx, trx, order, Math.floor(refundableFen(order) / 2), {',
      },
    ],
  },
  {
    name: 'account-costs-the-booster',
    rule: 'giving up costs a booster nothing when the account did not come in time',
    theme: 'boosting',
    changes: [
      {
        file: acts,
        search: 'service.accountFreeAt !== null &&\n  service.accountFreeAt.getTime() <= Date.now();',
        replace: 'service.minutes < 0;',
      },
    ],
  },
  {
    name: 'silence-pays-all',
    rule: 'silence pays one stage until the buyer acts or staff look',
    theme: 'boosting',
    toward: { cast: 'boosted', away: true, acts: ['boostPost', 'boostClaim', 'boostReport', 'wait'] },
    changes: [
      {
        file: 'subjects/services/server/progress.ts',
        search: 'if (service.silencePaidAt !== null) return await keep(trx, current, now);',
        replace: '',
      },
    ],
  },
  {
    name: 'late-without-end',
    rule: 'a late order of boosting ends though nobody does anything',
    theme: 'boosting',
    changes: [
      {
        sql: 'service_follows_account',
        search: "perform effect_schedule('service.late', new.order_id::text, v_due);",
        replace: '',
      },
    ],
  },
  {
    name: 'cancel-agreed-by-asker',
    rule: 'a cancel is agreed to by the other party',
    theme: 'boosting',
    changes: [
      {
        file: 'subjects/services/server/cancel.ts',
        search: "if (isOwn !== (action === 'withdraw'))",
        replace: "if (isOwn === (action === 'agree') && false)",
      },
    ],
  },
  {
    name: 'deposits-large-alone',
    rule: 'deposits of boosting above the limit are decided on by two persons',
    theme: 'boosting',
    changes: [
      {
        file: 'subjects/services/server/staff/boosting-deposits.ts',
        search: 'if (heldFen > secondPersonFen(call)) {',
        replace: 'if (heldFen < 0) {',
      },
    ],
  },
  {
    name: 'reading-not-owed',
    rule: 'what the fund pays for a wrong reading is owed by the seller who said the same',
    theme: 'reading',
    changes: [
      {
        file: 'subjects/inspections/server/money.ts',
        search: 'await recordDebt(trx, {',
        replace: 'if (claim.amountFen < 0) await recordDebt(trx, {',
      },
    ],
  },
];
