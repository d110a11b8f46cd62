import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { myBlackList } from '#subjects/verification/contract/verification.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { BlackRows } from './black-rows.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我的举报', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await market(args).call(myBlackList, {});
}

/** The user's own reports, each with its result. */
export default function MyReportsPage() {
  const first = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(myBlackList, { cursor }, { quiet: true }),
    ({ blackSn }) => blackSn,
  );
  return (
    <section className="panel mt-4 overflow-hidden" aria-labelledby="my-reports">
      <div className="panel-head">
        <h1 id="my-reports" className="text-16 font-semibold">
          我的举报
        </h1>
        <ButtonLink to="/black/releaseBlack" size="sm" kind="tonal" className="ml-auto">
          举报黑号
        </ButtonLink>
      </div>
      {items.length === 0 ? (
        <EmptyState
          title="您还没有举报过"
          action={
            <ButtonLink to="/black/releaseBlack" kind="primary">
              举报黑号
            </ButtonLink>
          }
        >
          遇到找回账号、站外诈骗、冒充客服，附上凭证举报，核实后公示。
        </EmptyState>
      ) : (
        <>
          <BlackRows items={items} withStatus />
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
    </section>
  );
}
