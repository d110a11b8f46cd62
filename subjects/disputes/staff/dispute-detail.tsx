import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import {
  staffDisputeQuestion,
  staffDisputeDetail,
  staffDisputeFirstResponse,
  staffDisputeSecond,
} from '#subjects/disputes/contract/staff-disputes.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { CaseClocks } from '../web/parts/cases/case-clocks.tsx';
import { CaseEvents } from '../web/parts/cases/case-events.tsx';
import { CaseEvidenceList, CaseFacts, CaseRulings, CaseStatements } from '../web/parts/cases/case-record.tsx';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { workbenchPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { AdminFile } from './cases/admin-file.ts';
import { LinkBadges } from '#subjects/back-office/staff/list/link-badges.tsx';
import { RulingForm } from './cases/ruling-form.tsx';
import { SecondReview } from '#subjects/back-office/staff/parts/dialogs/second-review.tsx';
import { BackHead } from '#subjects/back-office/staff/parts/back-head.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { UserLink } from '#subjects/back-office/staff/parts/user-link.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '申诉案卷', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const file = await request(staffDisputeDetail, { disputeSn: args.params.sn ?? '' });
  const talk = staffCan(staff, 'chat.serve') ? workbenchPath(file.orderSn) : null;
  return { file, talk, now: new Date().toISOString() };
}

function Person({ role, name, id, opened }: { role: string; name: string; id: string; opened: boolean }) {
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <span className="text-ink-3">{role}</span>
      <UserLink id={id} className="text-ink">
        {name}
      </UserLink>
      {opened && <span className="text-12 text-ink-3">发起</span>}
    </span>
  );
}

interface HeadProps {
  file: AdminFile;
  /** The order's conversation; null for staff without the chat permission. */
  talk: string | null;
  now: string;
  onRequest: () => void;
}

function Head({ file, talk, now, onRequest }: HeadProps) {
  const { busy, error, send } = useMutation(staffDisputeFirstResponse, {
    revalidates: true,
    done: () => toast('已受理', 'ok'),
  });
  const isAccepted =
    file.staffId !== null && file.clocks.some(({ key, doneTime }) => key === 'look' && doneTime !== null);
  return (
    <section className="panel overflow-hidden" aria-label="申诉状态">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
        <h1 className="text-16 font-semibold">{file.statusName}</h1>
        {file.escalated && file.status !== 'closed' && <Tag tone="danger">已升级</Tag>}
        <span className="text-12 text-ink-3">
          {file.waits}
          {file.deadline && `，${shortAt(file.deadline)} 前`}
        </span>
        <span className="ml-auto flex flex-wrap gap-2">
          {file.acts.includes('ask') && (
            <Button size="sm" onClick={onRequest}>
              要求补充
            </Button>
          )}
          {file.acts.includes('look') && (
            <Button
              size="sm"
              kind={isAccepted ? 'plain' : 'primary'}
              busy={busy}
              onClick={() => void send({ disputeSn: file.disputeSn })}
            >
              {isAccepted ? '接手' : '受理'}
            </Button>
          )}
        </span>
        <FormError className="basis-full">{error}</FormError>
        {file.hint && <p className="basis-full text-12 text-ink-3">{file.hint}</p>}
      </div>
      <CaseClocks clocks={file.clocks} now={now} />
      <p className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line-soft px-4 py-2 text-13">
        <Person role="买家" name={file.buyerName} id={file.buyerId} opened={file.openerSide === 'buyer'} />
        <Person role="卖家" name={file.sellerName} id={file.sellerId} opened={file.openerSide === 'seller'} />
        <LinkBadges links={file.related} />
        <span className="text-ink-3">{file.staffName ? staffLabel(file.staffName) : '客服未分配'}</span>
        <span className="text-ink-3">{file.distName}</span>
        {fenOf(file.debts.seller) > 0 && (
          <Tag tone="danger">
            卖家欠款 <Amount yuan={file.debts.seller} />
          </Tag>
        )}
        {fenOf(file.debts.buyer) > 0 && (
          <Tag tone="danger">
            买家欠款 <Amount yuan={file.debts.buyer} />
          </Tag>
        )}
        {fenOf(file.uncovered) > 0 && (
          <span className="text-attn">
            全额退款时，冻结货款与保证金不足 <Amount yuan={file.uncovered} />
            ，需两人裁决，由包赔基金垫付
          </span>
        )}
      </p>
      <p className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line-soft px-4 py-2 text-13">
        <span>{file.reasonName}</span>
        <span>
          诉求 {file.wantName}
          {file.wantAmount && (
            <>
              {' '}
              <Amount yuan={file.wantAmount} />
            </>
          )}
        </span>
        <span>
          商品价 <Amount yuan={file.goodsPrice} className="font-semibold" />
        </span>
        <Link to={`/backstage/orders/${file.orderSn}`} className="link">
          订单 {file.orderSn}（{file.orderStatusName}）
        </Link>
        {talk && (
          <Link to={talk} className="link">
            进入会话
          </Link>
        )}
      </p>
      <div className="grid gap-2.5 border-t border-line-soft px-4 py-3">
        <GoodsSummary
          title={file.bigTitle}
          gameName={file.gameName}
          typeId={file.orderTypeId}
          typeName={file.orderTypeName}
          thumbnail={file.thumbnail}
          seed={file.orderSn}
          to={`/backstage/orders/${file.orderSn}`}
          lines={1}
        />
        <CaseFacts facts={file.facts} />
      </div>
    </section>
  );
}

/** A ruling above the limit that needs a second person. */
function Draft({ file }: { file: AdminFile }) {
  const { draft, disputeSn } = file;
  if (!draft) return null;
  return (
    <SecondReview
      title="待复核的裁决"
      by={draft.by}
      limit={file.secondPerson}
      isMine={draft.isMine}
      mayDecide={file.acts.includes('second')}
      allow={{ question: '通过后裁决以起草人的名义作出，双方可上诉一次。', done: '裁决已作出' }}
      reject={{ question: '退回后由起草人修改，或由其他同事裁决。', done: '已退回' }}
      send={(decided) => call(staffDisputeSecond, { disputeSn, draftId: draft.draftId, ...decided }, { quiet: true })}
    >
      <p>
        退回商品价 <Amount yuan={draft.refund} className="font-semibold" />
        ，依据规则 {draft.rules.join('、')}
        {draft.penalty && '，并按规则 8.3 扣败诉方保证金'}
      </p>
      <p className="leading-text whitespace-pre-line text-ink-2">{draft.reason}</p>
    </SecondReview>
  );
}

function Before({ file }: { file: AdminFile }) {
  if (file.before.length === 0) return null;
  return (
    <section className="panel" aria-label="双方以往的申诉">
      <div className="panel-head">
        <h2>双方以往的申诉</h2>
      </div>
      <ul className="px-4 py-1 text-13">
        {file.before.map((e) => (
          <li key={e.disputeSn} className="flex flex-wrap gap-x-3 border-b border-line-soft py-2 last:border-b-0">
            <Link to={`/backstage/disputes/${e.disputeSn}`} className="link">
              {e.disputeSn}
            </Link>
            <span className="text-ink-3">{e.side === 'buyer' ? '本案买家' : '本案卖家'}</span>
            <span>{e.reasonName}</span>
            <span className="text-ink-2">{e.result}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One dispute for staff: its file, with the ruling form at the right. */
export default function AdminDispute() {
  const { file, talk, now } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [isRequesting, setRequesting] = useState(false);
  const canRule = file.acts.includes('rule');
  return (
    <>
      <BackHead to="/backstage/disputes" name="申诉">
        <span className="text-ink-3">{file.disputeSn}</span>
      </BackHead>
      <div className={canRule || file.draft ? 'admin-case' : 'grid gap-4'}>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
          <Head file={file} talk={talk} now={now} onRequest={() => setRequesting(true)} />
          <CaseRulings rulings={file.rulings} viewer="staff" />
          <CaseStatements statements={file.statements} />
          <CaseEvidenceList evidence={file.evidence} />
          <CaseEvents events={file.events} />
          <Before file={file} />
        </div>
        {(canRule || file.draft) && (
          <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
            <Draft file={file} />
            {canRule && <RulingForm file={file} />}
          </div>
        )}
      </div>
      {isRequesting && (
        <ReasonDialog
          title="要求补充证据"
          action="发出要求"
          question="要求会写在处理记录里，双方都能看到。"
          reasonLabel="要求"
          isReasonNeeded
          reasons={['请买家补充能看到问题的游戏内截图', '请卖家补充发货或换绑记录', '请双方说明站外沟通的经过']}
          send={(text, options) => call(staffDisputeQuestion, { disputeSn: file.disputeSn, text }, options)}
          onDone={() => {
            toast('已发出要求', 'ok');
            setRequesting(false);
            void revalidate();
          }}
          onClose={() => setRequesting(false)}
        />
      )}
    </>
  );
}
