import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { nothing, text } from '#contract/wire.ts';
import { transferRows } from '#subjects/ledger/contract/list-ledger.ts';
import { withdrawalList } from './list-money.ts';

const withdrawSn = z.string({ error: '提现编号不能为空' }).regex(/^[A-Za-z0-9-]{1,32}$/, '提现编号不正确');

const reason = text(200, { min: 1, label: '原因' });

/** Withdrawals by their filters, newest first. */
export const staffWithdrawList = staffRead('/api/backstage/withdraw/list', '提现申请', {
  mayLag: true,
  input: withdrawalList.input,
  data: withdrawalList.data,
  limit: 'search',
});

/** Above the limit the first approval only records it; a second one by another member of staff pays it out. */
export const approveWithdraw = staffWrite('/api/backstage/withdraw/approve', '通过提现', {
  input: z.object({ withdrawSn }),
  data: z.object({ status: z.number().int(), needsSecond: z.boolean() }),
});

/** Returns the money to the balance; the reason is shown to the user. */
export const rejectWithdraw = staffWrite('/api/backstage/withdraw/refuse', '退回提现', {
  input: z.object({ withdrawSn, reason }),
  data: nothing,
});

/** Transfers of the ledger by their filters, newest first. */
export const transferList = staffRead('/api/backstage/ledger/transfers', '资金流水', {
  input: transferRows.input,
  data: transferRows.data,
  limit: 'search',
});
