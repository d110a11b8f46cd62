import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { vendorList, type VendorItem, type VendorTrial } from '#subjects/back-office/contract/vendors.ts';
import { staffCan } from '../rules/staff.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { AdminTable } from './parts/admin-table.tsx';
import { TrialDialog } from './parts/dialogs/trial-dialog.tsx';
import { vendorState } from './system/vendor-state.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '服务商', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const { list } = await request(vendorList, {});
  return { list, may: staffCan(staff, 'vendor.try') };
}

function Row({ item, onTry }: { item: VendorItem; onTry: (() => void) | undefined }) {
  const [state, colour] = vendorState(item);
  return (
    <tr>
      <td className="whitespace-nowrap">
        {item.label}
        {item.subject !== item.label && <span className="block text-12 text-ink-3">{item.subject}</span>}
      </td>
      <td className={`whitespace-nowrap ${colour}`}>{state}</td>
      <td className="num" data-label="调用">
        {item.calls}
        {item.failures + item.rejected > 0 && (
          <span className="block text-12 text-danger">
            失败 {item.failures}，拒绝 {item.rejected}
          </span>
        )}
      </td>
      <td className="num whitespace-nowrap" data-label="耗时">
        {item.calls === 0 ? '—' : `${item.medianMs} ms`}
        {item.calls > 0 && <span className="block text-12 text-ink-3">P95 {item.p95Ms} ms</span>}
      </td>
      <td className="text-12 whitespace-nowrap" data-label="最近成功">
        {item.lastSuccess ? fullAt(item.lastSuccess) : '—'}
      </td>
      <td className="text-12" data-label="最近失败">
        {item.lastFailure ? fullAt(item.lastFailure) : '—'}
        {item.lastError && <span className="block break-words text-ink-3">{item.lastError}</span>}
      </td>
      <td className="num">
        {onTry && (
          <Button size="sm" kind="tonal" onClick={onTry}>
            试一下
          </Button>
        )}
      </td>
    </tr>
  );
}

/** The vendors: state, figures of the last hour, and a test of each. */
export default function VendorsPage() {
  const { list, may } = useLoaderData<typeof loader>();
  const [tried, setTried] = useState<{ kind: VendorTrial; vendor: string } | null>(null);
  return (
    <>
      <div className="admin-head">
        <h1>服务商</h1>
        <p>最近一小时，由当前这台服务器统计，重启后清零</p>
      </div>
      <section className="panel overflow-hidden" aria-label="服务商">
        <AdminTable
          columns={['服务商', '状态', { num: '调用' }, { num: '耗时' }, '最近成功', '最近失败', { num: '操作' }]}
        >
          {list.map((item) => {
            const { trial: kind, key: vendor } = item;
            return <Row key={vendor} item={item} onTry={may && kind ? () => setTried({ kind, vendor }) : undefined} />;
          })}
        </AdminTable>
      </section>
      {tried && <TrialDialog {...tried} onClose={() => setTried(null)} />}
    </>
  );
}
