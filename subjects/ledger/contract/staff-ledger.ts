import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { holdList } from './list-holds.ts';
import { z } from 'zod';
import { int, json, bulkResult, money, text, time } from '#contract/wire.ts';

const reason = text(200, { min: 1, label: '原因' });

/** Open holds: the complete frozen balance of the users, each part with its reason and its end. */
export const staffHoldList = staffRead('/api/backstage/ledger/holds', '冻结款', {
  input: holdList.input,
  data: holdList.data,
  limit: 'search',
});

/** Ends a protection period early, or a freeze by staff. Above the limit it waits for a second approval. */
export const releaseHoldEarly = staffWrite('/api/backstage/ledger/releaseHold', '提前解冻', {
  input: z.object({ holdId: int({ min: 1, label: '冻结编号' }), reason }),
  data: z.object({ released: z.boolean(), needsSecond: z.boolean() }),
});

/** Ends several holds early, each by the rules of a single one: above the limit the call only requests it, and a second person must approve. */
export const releaseHolds = staffWrite('/api/backstage/ledger/releaseHolds', '批量提前解冻', {
  input: z.object({
    holdIds: json(z.array(z.number().int().min(1)).min(1, '请选择冻结款').max(100, '一次最多 100 笔'), '冻结款'),
    reason,
  }),
  data: bulkResult,
});

/** Balances by kind of account; the sum must be zero. */
export const trialBalanceSheet = staffRead('/api/backstage/ledger/trial', '试算平衡', {
  input: z.object({}),
  data: z.object({
    kinds: z.array(z.object({ kind: z.string(), name: z.string(), amount: money, accounts: z.number().int() })),
    total: money,
    balanced: z.boolean(),
    time,
  }),
  limit: 'search',
});

/** Runs every check of the books (docs/LEDGER.md); an empty list means that all of them pass. */
export const checkBooks = staffWrite('/api/backstage/ledger/check', '账目核对', {
  input: z.object({}),
  data: z.object({ breaches: z.array(z.string()), tookMs: z.number().int(), time }),
  limit: 'withdraw',
});

/** The nightly checks of the books, newest first; endTime is null while one runs. */
export const bookCheckList = staffRead('/api/backstage/ledger/checks', '每夜账目核对', {
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        startTime: time,
        endTime: time.nullable(),
        transfers: z.number().int().nullable(),
        breaches: z.array(z.string()),
      }),
    ),
  }),
  limit: 'search',
});
