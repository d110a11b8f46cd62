import { Plus } from 'lucide-react';
import { useLoaderData, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { findSelfWantGoodsList } from '#subjects/offers/contract/offers.ts';
import { call } from '#web/lib/api/api.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { AlertList } from './alert-list.tsx';
import { WantForm } from './want-form.tsx';
import { type loader as wantLoader, wantInput } from './want-loader.ts';
import { WANT_PATH, WANT_TABS, wantTabPath } from './want-query.ts';
import { WantRow } from './want-row.tsx';

export const handle = { phone: { refresh: true } };

export { loader } from './want-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我的求购', noindex: true });
}

const NEW_WANT = `${WANT_PATH}?new=1`;

function Rows({ status, first }: { status: number | null; first: Data<typeof findSelfWantGoodsList> }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(findSelfWantGoodsList, wantInput(status, cursor), { quiet: true }),
    ({ wantSn }) => wantSn,
  );
  if (items.length === 0)
    return status === null ? (
      <EmptyState
        title="还没有发布求购"
        action={
          <ButtonLink to={NEW_WANT} kind="primary">
            发布求购
          </ButtonLink>
        }
      >
        没找到合适的？说清条件和预算，符合的新商品和降价会主动来找您。
      </EmptyState>
    ) : (
      <EmptyState title="没有这个状态的求购" action={<ButtonLink to={WANT_PATH}>查看全部求购</ButtonLink>} />
    );
  return (
    <>
      <ul>
        {items.map((want) => (
          <WantRow key={want.wantSn} want={want} />
        ))}
      </ul>
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

/** The user's wants with their matches, and the saved searches. */
export default function WantsPage() {
  const data = useLoaderData<typeof wantLoader>();
  const { status, result, alerts, form } = data;
  const { revalidate } = useRevalidator();
  return (
    <div className="grid gap-4">
      {form && <WantForm key={form.editSn ?? 'new'} data={data} form={form} />}
      <section className="panel" aria-labelledby="wants">
        <div className="panel-head py-2">
          <h1 id="wants" className="text-16 font-semibold">
            我的求购
          </h1>
          {!form && (
            <ButtonLink to={NEW_WANT} size="sm" className="ml-auto">
              <Plus className="icon size-3.5" aria-hidden="true" />
              发布求购
            </ButtonLink>
          )}
        </div>
        <LinkTabs
          label="求购状态"
          items={WANT_TABS.map((tab) => ({
            key: tab.label,
            label: tab.label,
            to: wantTabPath(tab.status),
            isCurrent: tab.status === status,
          }))}
        />
        {result.ok ? (
          <Rows key={status} status={status} first={result.data} />
        ) : (
          <ErrorState message={result.msg} onRetry={() => void revalidate()} />
        )}
      </section>
      {alerts.ok ? (
        <AlertList alerts={alerts.data.list} />
      ) : (
        <ErrorState message={alerts.msg} onRetry={() => void revalidate()} />
      )}
    </div>
  );
}
