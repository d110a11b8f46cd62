import { useLoaderData, useSearchParams } from 'react-router';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { ChooseGame } from './choose-game.tsx';
import { SellFormPage } from './sell-form.tsx';
import type { loader as sellLoader, SellData } from './sell-loader.ts';
import { Sent } from './sent.tsx';

export { loader } from './sell-loader.ts';

export const handle = { phone: { back: true, title: '发布商品' } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '发布商品', noindex: true });
}

const HEAD = (
  <div className="panel-head">
    <h1 id="sell" className="text-16 font-semibold">
      发布商品
    </h1>
  </div>
);

/** Shown at the beginning, so that the dialog at the end is no surprise. */
const UNVERIFIED = (
  <p className="mb-3 rounded-control bg-sunken px-3 py-2 text-13 text-ink-2">
    卖家须为已成年的实名用户。可以先填写并看到手价，提交审核时再完成实名认证，约 1 分钟，已填的内容会保留。
  </p>
);

function Body({ data }: { data: SellData }) {
  const [query] = useSearchParams();
  const { state, opened } = data;
  if (state.doneSn !== null) {
    const again =
      state.gameId !== null && state.typeId !== null ? `/center/sell?gameId=${state.gameId}&gt=${state.typeId}` : null;
    return (
      <Sent
        goodsSn={state.doneSn}
        status={state.doneStatus}
        edited={query.has('edited')}
        again={again}
        reviewText={data.reviewText}
      />
    );
  }
  if (data.isMinor)
    return (
      <section className="panel" aria-labelledby="sell">
        {HEAD}
        <EmptyState title="未满 18 周岁不能发布商品">根据国家规定，已成年的实名用户才能交易。</EmptyState>
      </section>
    );
  if (opened === null || opened.ok)
    return (
      <>
        {!data.isVerified && UNVERIFIED}
        {opened === null ? (
          <ChooseGame games={data.games} />
        ) : (
          <SellFormPage key={opened.draftKey} data={data} opened={opened} />
        )}
      </>
    );
  return (
    <section className="panel" aria-labelledby="sell">
      {HEAD}
      <EmptyState
        title={opened.msg}
        action={
          <>
            <ButtonLink to="/center/sellOutGoods">查看我的商品</ButtonLink>
            <ButtonLink to="/center/sell" kind="primary">
              发布商品
            </ButtonLink>
          </>
        }
      />
    </section>
  );
}

/** Publishing: choose game and type, fill in the game's form, see the proceeds, submit for review. */
export default function Sell() {
  return <Body data={useLoaderData<typeof sellLoader>()} />;
}
