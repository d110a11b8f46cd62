import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { type DisputeReason, disputeReasonHistory, disputeReasons } from '#subjects/disputes/contract/staff-reasons.ts';
import { reasonPlaces } from '../rules/dispute-reasons.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Button } from '#web/ui/button.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { ReasonForm } from './reasons/reason-form.tsx';
import { TextHistory } from '#subjects/back-office/staff/parts/dialogs/text-history.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '申诉原因', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await market(args).call(disputeReasons, {});
}

const typesText = ({ goodsTypes }: Pick<DisputeReason, 'goodsTypes'>): string =>
  goodsTypes === null ? '全部商品' : goodsTypes.map(orderTypeName).join('、');

const statesText = ({ orderStates }: Pick<DisputeReason, 'orderStates'>): string =>
  reasonPlaces
    .filter(([state]) => orderStates.includes(state))
    .map(([, name]) => name)
    .join('、');

function Row({ item, onEdit, onHistory }: { item: DisputeReason; onEdit?: () => void; onHistory: () => void }) {
  return (
    <tr>
      <td className="num" data-label="排序">
        {item.sort}
      </td>
      <td data-wide="">
        <span className="font-medium" title={item.code}>
          {item.name}
        </span>
        {!item.isOn && <Tag className="ml-1.5">已停用</Tag>}
      </td>
      <td data-wide="" className="max-w-80">
        {typesText(item)}
        <span className="block text-12 text-ink-3">{statesText(item)}</span>
      </td>
      <td data-wide="" className="max-w-80 text-12 text-ink-3">
        {item.form.map(({ label }) => label).join('、') || '没有字段'}
      </td>
      <td className="num" data-label="申诉">
        {item.disputes}
        {item.open > 0 && <span className="block text-12 text-attn">处理中 {item.open}</span>}
      </td>
      <td className="num">
        <span className="inline-flex gap-1">
          <Button size="sm" kind="ghost" onClick={onHistory}>
            历史
          </Button>
          {onEdit && (
            <Button size="sm" onClick={onEdit}>
              修改
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}

type Open = { kind: 'form' | 'history'; item: DisputeReason | null };

/** Reasons of disputes with their order types, display order and form. A reason that was used is disabled, never removed. */
export default function ReasonsPage() {
  const { list, canEdit } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState<Open | null>(null);
  return (
    <>
      <div className="admin-head">
        <h1>申诉原因</h1>
        <p>用户按这里的顺序选择；处理中的申诉保留当时的表单</p>
        {canEdit && (
          <Button size="sm" kind="primary" className="ml-auto" onClick={() => setOpen({ kind: 'form', item: null })}>
            新建原因
          </Button>
        )}
      </div>
      <section className="panel overflow-hidden" aria-label="申诉原因">
        <AdminTable columns={[{ num: '排序' }, '原因', '适用', '表单', { num: '申诉' }, { num: '操作' }]}>
          {list.map((item) => (
            <Row
              key={item.code}
              item={item}
              {...(canEdit && { onEdit: () => setOpen({ kind: 'form', item }) })}
              onHistory={() => setOpen({ kind: 'history', item })}
            />
          ))}
        </AdminTable>
      </section>
      {open?.kind === 'form' && (
        <ReasonForm
          item={open.item}
          onDone={() => {
            setOpen(null);
            void revalidate();
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'history' && open.item && (
        <TextHistory
          title={open.item.name}
          load={async () => {
            const { list: versions } = await call(
              disputeReasonHistory,
              { code: open.item?.code ?? '' },
              { quiet: true },
            );
            return versions.map((one) => ({
              ...one,
              title: one.name,
              body: [
                `适用：${typesText(one)}；${statesText(one)}`,
                `表单：${one.form.map(({ label }) => label).join('、') || '没有字段'}`,
                `凭证：${one.evidence || '没有要求'}；排序 ${one.sort}${one.isOn ? '' : '；已停用'}`,
              ].join('\n'),
            }));
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
