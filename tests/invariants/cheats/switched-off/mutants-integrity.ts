/**
 * Rules that keep out the cheats of findings.ts: each with what takes it away. A finding in known.ts has no rule yet. Whoever fixes it removes its line
 * there and adds the mutant that `mutant` of the finding describes to `REMOVALS`: the search looks for it where it found the finding.
 */
import { type FindingName, findingOf } from '../rules/findings.ts';
import type { Mutant } from './mutant.ts';

/** A rule of a fix and what takes it away. The rules of one finding can have several, each with a separate name. */
type Removal = Pick<Mutant, 'name' | 'rule' | 'changes' | 'drops'> & { finding: FindingName };

const REMOVALS: readonly Removal[] = [
  {
    finding: 'account-identity',
    name: 'account-by-its-text',
    rule: 'an account has one fingerprint, however its name is written',
    changes: [
      {
        file: 'server/kernel/account-identity.ts',
        search: '  const name = lettersAndDigits(text);',
        replace:
          "  return text.normalize('NFKC').toLowerCase().replace(/\\s+/g, '');\n  const name = lettersAndDigits(text);",
      },
    ],
  },
  {
    finding: 'account-identity',
    name: 'log-in-of-another-account',
    rule: 'the log-in that is sealed and checked is of the account on sale',
    changes: [
      {
        file: 'subjects/orders/server/handover/listed-account.ts',
        search: '  if (!listed) return;',
        replace: '  if (listed || !listed) return;',
      },
      {
        file: 'subjects/inspections/server/credentials.ts',
        search: '  if (listed && !isListedAccount(ctx.keys, listed, account))',
        replace: '  if (false && listed)',
      },
    ],
  },
  {
    finding: 'wrong-password-with-proof',
    name: 'proof-hides-wrong-password',
    rule: 'a pay password that is sent is compared although an earlier proof is fresh',
    changes: [
      {
        file: 'subjects/accounts/server/step-up.ts',
        search: '  if (isFilled(proof.payPassword)) {',
        replace: '  if (isFilled(proof.payPassword) && !(await isProofValid(ctx.db, user, purpose))) {',
      },
    ],
  },
  {
    finding: 'deal-without-type',
    name: 'deal-of-no-type',
    rule: "a private deal under a game has one of that game's goods types",
    changes: [
      {
        file: 'subjects/middleman/server/traded.ts',
        search: 'if (game && typeId === NO_GOODS_TYPE)',
        replace: 'if (false)',
      },
      {
        file: 'subjects/middleman/server/traded.ts',
        search: 'if (typeId === NO_GOODS_TYPE) return { gameId: null,',
        replace: 'if (typeId === NO_GOODS_TYPE) return { gameId: gameId ?? null,',
      },
    ],
    drops: ['middleman_deal middleman_deal_type_check'],
  },
  {
    finding: 'resealed-after-check',
    name: 'checked-then-replaced',
    rule: 'a new version of a form that was checked opens the check again, or is refused',
    changes: [
      {
        file: 'subjects/orders/server/handover/reseal.ts',
        search: 'rows.find((r) => r.key === CHECK_LOGIN && r.step > step);',
        replace: 'undefined;',
      },
    ],
  },
  {
    finding: 'deposit-being-released',
    name: 'released-deposit-counts',
    rule: 'a deposit that is being released does not count',
    changes: [{ sql: 'deposit_counted', search: "and status = 'waiting'", replace: 'and false' }],
  },
  {
    finding: 'deposit-of-absent-buyer',
    name: 'absent-buyer-gets-deposit',
    rule: 'the clock of a late order keeps the efficiency deposit from a buyer who never came',
    changes: [
      {
        file: 'subjects/services/server/late.ts',
        search: 'service.efficiencyFen > 0 && !isBuyerAbsent(service);',
        replace: 'service.efficiencyFen > 0;',
      },
    ],
  },
  {
    finding: 'booster-opens-after-delivery',
    name: 'booster-keeps-the-form',
    rule: 'a booster opens the account until the final delivery only',
    changes: [
      {
        file: 'subjects/orders/server/handover/access.ts',
        search: "shipped: row(NEVER, 'SEAL_DELIVERED', 'assist'),",
        replace: "shipped: row(NEVER, 'boost', 'assist'),",
      },
    ],
  },
  {
    finding: 'free-tips',
    name: 'tips-at-once',
    rule: 'a tip carries commission, is held, and is at most what was paid for play',
    changes: [
      {
        file: 'subjects/services/server/companions/tips.ts',
        search: "code: 'service_tip', credit: account.frozen(order.sellerId), fen: netFen }",
        replace: "code: 'service_tip', credit: account.available(order.sellerId), fen }",
      },
      {
        file: 'subjects/services/server/companions/tips.ts',
        search:
          "  await openHold(trx, { userId: order.sellerId, amountFen: netFen, code: 'service_tip', ref, reason, seconds });\n",
        replace: '  void [openHold, reason];\n',
      },
      {
        file: 'subjects/services/server/companions/tips.ts',
        search: "credit: account.platform('fee', order.id), fen: feeFen }",
        replace: "credit: account.platform('fee', order.id), fen: 0 * feeFen }",
      },
      {
        sql: 'paid_for_play',
        search: "and s.state in ('done', 'ended')), 0)",
        replace: "and s.state in ('done', 'ended')), 0) + 20000",
      },
    ],
  },
  {
    finding: 'platform-without-take-over',
    name: 'platform-pays-by-time',
    rule: 'the hold of what the platform bought ends by its take-over or by a ruling, and its end opens a case',
    changes: [
      {
        file: 'subjects/ledger/server/holds.ts',
        search: '(not exists (select from recycler c where c.user_id = o.buyer_id and c.is_platform)',
        replace: '(true',
      },
      {
        file: 'subjects/orders/server/recycled.ts',
        search: "if (isPlatforms) await cancel(trx, 'hold.release', orderId);\n  else await",
        replace: 'await',
      },
      {
        file: 'subjects/recycling/server/accounts/decide.ts',
        search: "if (isHouse) await schedule(trx, 'recycle.takeOver'",
        replace: "if (!isHouse) await schedule(trx, 'recycle.takeOver'",
      },
    ],
  },
  {
    finding: 'case-makes-play-free',
    name: 'case-before-play-counts',
    rule: 'the time of a case before play began is not taken off the minutes of play',
    changes: [
      {
        sql: 'service_follows_case',
        search: 'when s.started_at is null or v_own then 0',
        replace: 'when v_own then 0',
      },
    ],
  },
  {
    finding: 'case-makes-play-free',
    name: 'withdrawn-case-counts',
    rule: 'the time of a case that the buyer withdrew is not taken off the minutes of play',
    changes: [
      {
        sql: 'service_follows_case',
        search: "d.outcome = 'withdrawn' and d.opener_id",
        replace: 'false and d.opener_id',
      },
    ],
  },
];

export const integrityMutants: readonly Mutant[] = REMOVALS.map((removal) => {
  const { theme, toward } = findingOf(removal.finding);
  return { ...removal, theme, ...(toward && { toward }) };
});
