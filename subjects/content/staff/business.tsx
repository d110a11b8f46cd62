import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { handleBusiness, revealBusiness, staffBusinessList } from '#subjects/content/contract/staff-content.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { BUSINESS_NAMES } from '../web/names.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FilterBar, FilterSelect } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '合作申请', noindex: true });
}

type Request = Data<typeof staffBusinessList>['list'][number];
type Status = Request['status'];

const STATUS: readonly (readonly [Status, string])[] = [
  ['new', '待联系'],
  ['talking', '洽谈中'],
  ['done', '已合作'],
  ['refused', '不合作'],
];
const nameOf = (status: Status): string => STATUS.find(([key]) => key === status)?.[1] ?? '';

export async function loader(args: LoaderFunctionArgs) {
  const statusParam = args.url.searchParams.get('status');
  const query = { status: STATUS.find(([key]) => key === statusParam)?.[0], pageSize: 30 };
  return { first: await market(args).call(staffBusinessList, query), query };
}

function Contact({ id, mask }: { id: number; mask: string }) {
  const [revealed, setRevealed] = useState<Data<typeof revealBusiness> | null>(null);
  const { busy, error, send } = useMutation(revealBusiness, { done: setRevealed });
  if (revealed)
    return (
      <>
        {revealed.name} {revealed.phone}
        {revealed.contact && <span className="block text-12 text-ink-3">{revealed.contact}</span>}
      </>
    );
  return (
    <>
      <span className="inline-flex items-center gap-2">
        {mask}
        <Button size="sm" kind="ghost" busy={busy} title="查看会留下记录" onClick={() => void send({ id })}>
          查看
        </Button>
      </span>
      <FormError className="row-error ml-0">{error}</FormError>
    </>
  );
}

/** Co-operation requests: who sent them, about what, and their state. */
export default function AdminBusinessPage() {
  const { first, query } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [moving, setMoving] = useState<{ request: Request; status: Status } | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffBusinessList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  return (
    <>
      <div className="admin-head">
        <h1>合作申请</h1>
        <p>{countText(first.total, first.totalCapped ?? false)} 份</p>
        <div className="ml-auto max-lg:ml-0">
          <FilterBar names={['status']}>
            <FilterSelect name="status" label="状态" all="全部状态" options={STATUS} />
          </FilterBar>
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label="合作申请">
        {items.length === 0 ? (
          <EmptyState title="没有符合条件的申请" />
        ) : (
          <>
            <AdminTable columns={['类型', '内容', '联系方式', '站点', '状态', '时间', { num: '处理' }]}>
              {items.map((r) => (
                <tr key={r.id}>
                  <td className="whitespace-nowrap">
                    {BUSINESS_NAMES[r.kind]}
                    {r.company && <span className="block text-12 text-ink-3">{r.company}</span>}
                  </td>
                  <td data-wide="">
                    {r.text}
                    {r.note && <span className="block text-12 text-ink-3">备注：{r.note}</span>}
                  </td>
                  <td className="whitespace-nowrap">
                    <Contact id={r.id} mask={r.phoneMask} />
                  </td>
                  <td className="whitespace-nowrap">{r.distName}</td>
                  <td className="whitespace-nowrap">
                    <Tag {...(r.status === 'new' && { tone: 'attn' as const })}>{nameOf(r.status)}</Tag>
                    {r.staffName && <span className="block text-12 text-ink-3">{r.staffName}</span>}
                  </td>
                  <td className="text-12 whitespace-nowrap text-ink-3" data-label="时间">
                    {fullAt(r.createTime)}
                  </td>
                  <td className="num">
                    <Select
                      small
                      aria-label={`处理 ${r.requestSn}`}
                      value={r.status}
                      onChange={(event) => {
                        const status = STATUS.find(([key]) => key === event.target.value)?.[0];
                        if (status) setMoving({ request: r, status });
                      }}
                    >
                      {STATUS.map(([key, name]) => (
                        <option key={key} value={key}>
                          {name}
                        </option>
                      ))}
                    </Select>
                  </td>
                </tr>
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {moving && (
        <ReasonDialog
          title={`改为${nameOf(moving.status)}`}
          action="保存"
          question={`${BUSINESS_NAMES[moving.request.kind]}的申请改为${nameOf(moving.status)}。`}
          reasonLabel="备注"
          send={(note) => call(handleBusiness, { id: moving.request.id, status: moving.status, note }, { quiet: true })}
          onDone={() => {
            setMoving(null);
            toast('已保存', 'ok');
            void revalidate();
          }}
          onClose={() => setMoving(null)}
        />
      )}
    </>
  );
}
