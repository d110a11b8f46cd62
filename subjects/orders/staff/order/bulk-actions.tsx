import { useEffect, useState } from 'react';
import { staffOrderBulk } from '#subjects/orders/contract/staff-orders.ts';
import type { Data } from '#contract/endpoint.ts';
import { staffImColleagues } from '#subjects/chat/contract/im-staff.ts';
import type { StaffOrder } from '#subjects/orders/contract/list-orders.ts';
import { isInProgress, OrderStatus } from '../../rules/order-status.ts';
import { call } from '#web/lib/api/api.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import type { BulkAction, BulkResult } from '#subjects/back-office/staff/list/bulk.tsx';

/** The conversation of an order, for staff; null before the payment. */
export const chatLink = ({ groupId }: Pick<StaffOrder, 'groupId'>): string | null =>
  groupId === null ? null : `/backstage/chat?g=${groupId}`;

/** Reminds the seller of one order. */
export const remindOne = (orderSn: string): Promise<BulkResult> =>
  call(staffOrderBulk, { orderSns: [orderSn], act: 'remind' }, { quiet: true });

/** The members of staff to whom an order can be assigned, least loaded first. */
function ColleagueField() {
  const [list, setList] = useState<Data<typeof staffImColleagues>['list'] | null>(null);
  useEffect(() => {
    call(staffImColleagues, {}, { quiet: true })
      .then((data) => setList(data.list))
      .catch(() => setList([]));
  }, []);
  return (
    <Field label="接手的客服" required error={list?.length === 0 ? '没有可以接手的客服' : null}>
      {(control) => (
        <Select {...control} name="staffId" disabled={list === null}>
          {(list ?? []).map(({ staffId, name, load, maxChats, online }) => (
            <option key={staffId} value={staffId}>
              {name}，接待中 {load}/{maxChats}
              {online ? '，在线' : ''}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** The actions of staff on several orders together. */
export const orderBulkActions: readonly BulkAction<StaffOrder>[] = [
  {
    key: 'remind',
    name: '催卖家发货',
    hotkey: 'r',
    fits: ({ status }) => status === OrderStatus.Paid,
    otherwise: '不在待发货',
    question: '在每笔订单的交易群里提醒卖家，不在线的会收到通知。半小时内只催一次。',
    run: (orderSns) => call(staffOrderBulk, { orderSns: [...orderSns], act: 'remind' }, { quiet: true }),
  },
  {
    key: 'assign',
    name: '转交',
    hotkey: 't',
    fits: ({ status }) => isInProgress(status),
    otherwise: '没有在进行',
    question: '订单和它的交易群一起转给同事，聊天记录都在。',
    form: <ColleagueField />,
    run: (orderSns, field) =>
      call(staffOrderBulk, { orderSns: [...orderSns], act: 'assign', staffId: field('staffId') }, { quiet: true }),
  },
];
