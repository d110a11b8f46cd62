import { useEffect, useRef, useState } from 'react';
import { Link, useLoaderData } from 'react-router';
import { rejectReview, type ReviewGoods } from '#subjects/goods/contract/staff-review.ts';
import { goodsTypeIds, goodsTypeName } from '#contract/rules/catalogue.ts';
import { call } from '#web/lib/api/api.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Cover } from '../web/parts/cover/cover.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FilterBar, FilterSelect, FilterKeyword } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { type KeyHints, useKeyHints } from '#web/layouts/shell/shortcuts.tsx';
import { useHotkeys } from '#subjects/back-office/staff/parts/use-hotkeys.ts';
import { ReviewDetail } from './review/review-detail.tsx';
import type { loader } from './review/review-loader.ts';
import { UndoBar } from './review/undo-bar.tsx';
import { useReview } from './review/use-review.ts';

export { loader, shouldRevalidate } from './review/review-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '商品审核', noindex: true });
}

const REASONS = [
  '截图与描述不符，请重新上传',
  '图片不清晰或缺少关键截图',
  '标题或描述含有联系方式',
  '价格明显不合理',
  '游戏、区服或商品类型填写有误',
  '该账号来源不符合上架要求',
] as const;

function Filters({ games }: { games: readonly { id: number; name: string }[] }) {
  return (
    <FilterBar names={['gameId', 'goodsTypeId', 'keyWord']}>
      <FilterSelect name="gameId" label="游戏" all="全部游戏" options={games.map(({ id, name }) => [id, name])} />
      <FilterSelect
        name="goodsTypeId"
        label="商品类型"
        all="全部类型"
        options={goodsTypeIds.map((id) => [id, goodsTypeName(id)])}
      />
      <FilterKeyword placeholder="标题或商品编号" />
    </FilterBar>
  );
}

function Pick({ goods, isChosen, to }: { goods: ReviewGoods; isChosen: boolean; to: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isChosen) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <Link ref={link} to={to} replace preventScrollReset className="admin-pick" aria-current={isChosen || undefined}>
      <Picture
        src={goods.pictures[0]?.thumb}
        alt=""
        width={72}
        height={54}
        className="w-18"
        fallback={<Cover seed={goods.goodsSn} />}
      >
        {goods.pictures.length > 0 && <span className="picture-count">{goods.pictures.length}</span>}
      </Picture>
      <span className="grid min-w-0 gap-0.5">
        <span className="truncate text-13">
          <b className="mr-1 font-semibold">{goods.gameName}</b>
          {goods.bigTitle}
        </span>
        <span className="flex items-baseline gap-2 text-12 text-ink-3">
          <Price yuan={goods.price} size="sm" />
          <span className="truncate">{goods.seller.nickName}</span>
          <TimeLabel at={goods.submitTime} className="ml-auto whitespace-nowrap" />
        </span>
        {goods.flags.length > 0 && (
          <span className="flex gap-1 overflow-hidden">
            {goods.flags.slice(0, 3).map(({ text, tone }) => (
              <Tag key={text} {...(tone && { tone })}>
                {text}
              </Tag>
            ))}
          </span>
        )}
      </span>
    </Link>
  );
}

function RejectDialog({ goods, onDone, onClose }: { goods: ReviewGoods; onDone: () => void; onClose: () => void }) {
  const { goodsSn, version } = goods;
  return (
    <ReasonDialog
      title="驳回商品"
      action="驳回"
      danger
      question={`「${goods.bigTitle}」会退回给卖家修改，卖家能看到驳回原因。`}
      reasons={REASONS}
      reasonLabel="驳回原因"
      isReasonNeeded
      send={(reason) => call(rejectReview, { goodsSn, version, reason }, { quiet: true })}
      onDone={() => {
        toast('已驳回，卖家会看到原因', 'ok');
        onDone();
      }}
      onClose={onClose}
    />
  );
}

const REVIEW_KEYS: KeyHints = [
  ['J K', '下一件、上一件'],
  ['A', '通过'],
  ['R', '驳回'],
  ['Z', '撤销刚才的通过（5 秒内）'],
];

/** The review queue, oldest first; the selected listing is shown next to it and decided by two keys. */
export default function ReviewPage() {
  const { queue, named, games } = useLoaderData<typeof loader>();
  const review = useReview(queue, named);
  const [rejecting, setRejecting] = useState<ReviewGoods | null>(null);
  const { goods, items, missingSn } = review;
  const reject = () => goods && setRejecting(goods);
  useKeyHints('商品审核', REVIEW_KEYS);
  useHotkeys({ j: () => review.step(1), k: () => review.step(-1), a: review.approve, r: reject, z: review.undo });
  return (
    <>
      <div className={cx('admin-head', review.isOpen && 'max-lg:hidden')}>
        <h1>商品审核</h1>
        <p>
          待审核 {countText(review.total, queue.totalCapped)} 件
          <span className="max-md:hidden">
            ，<span className="kbd">J</span> <span className="kbd">K</span> 上下切换
          </span>
        </p>
        <div className="ml-auto max-lg:ml-0">
          <Filters games={games} />
        </div>
      </div>
      {!goods && missingSn === null && (
        <div className="panel">
          <EmptyState title="没有待审核的商品">卖家发布或修改商品后会出现在这里，先提交的排在前面。</EmptyState>
        </div>
      )}
      {(goods ?? missingSn) && (
        <div className="admin-split">
          <div className={cx('panel overflow-hidden', review.isOpen && 'max-lg:hidden')}>
            <ul aria-label="待审核商品">
              {items.map((item) => (
                <li key={item.goodsSn}>
                  <Pick goods={item} isChosen={item === goods} to={review.hrefOf(item.goodsSn)} />
                </li>
              ))}
            </ul>
            <ListEnd next={review.next} busy={review.busy} error={review.error} onMore={review.more} />
          </div>
          <div className={cx(!review.isOpen && 'max-lg:hidden')}>
            {goods ? (
              <ReviewDetail
                key={goods.goodsSn}
                goods={goods}
                backTo={review.hrefOf(null)}
                onApprove={review.approve}
                onReject={reject}
              />
            ) : (
              <div className="panel">
                <EmptyState
                  title="该商品不在待审核队列"
                  action={<ButtonLink to={review.hrefOf(null)}>查看待审核队列</ButtonLink>}
                >
                  {missingSn} 可能已被处理、被卖家撤下，或编号有误。
                </EmptyState>
              </div>
            )}
          </div>
        </div>
      )}
      <UndoBar listing={review.held} onUndo={review.undo} />
      {rejecting && (
        <RejectDialog
          goods={rejecting}
          onDone={() => {
            review.leave(rejecting);
            setRejecting(null);
          }}
          onClose={() => setRejecting(null)}
        />
      )}
    </>
  );
}
