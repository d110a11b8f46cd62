import { Link } from 'react-router';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { CaseClocks } from '../../web/parts/cases/case-clocks.tsx';
import { CaseEvents } from '../../web/parts/cases/case-events.tsx';
import { CaseEvidenceList, CaseFacts, CaseRulings, CaseStatements } from '../../web/parts/cases/case-record.tsx';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { orderPath, talkPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { useAutoRefresh } from '#web/lib/loading/use-auto-refresh.ts';
import type { DisputeFile } from './dispute-file.ts';
import { CaseActions } from './actions.tsx';

function Head({ file, way, now }: { file: DisputeFile; way: string | null; now: string }) {
  return (
    <section className="panel overflow-hidden" aria-label="申诉状态">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3.5">
        <h1 className="text-20 font-semibold">{file.statusName}</h1>
        <p className="min-w-0 flex-1 text-13 text-ink-2 max-md:basis-full" aria-live="polite">
          {file.waits}
          {file.deadline && `，${shortAt(file.deadline)} 前`}
          {file.status !== 'closed' && '。尚未放出的货款由平台托管，结案前不会放给任何一方。'}
        </p>
        {file.mine ? <Tag>我发起</Tag> : <Tag>对方发起</Tag>}
      </div>
      <CaseClocks clocks={file.clocks} now={now} />
      {file.status === 'closed' && file.refunded !== null && (
        <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t border-line-soft px-4 py-3 text-13 text-ink-2">
          <div>
            <dt className="text-12 text-ink-3">退回买家</dt>
            <dd className="text-16 font-semibold text-ink">
              <Amount yuan={file.refunded} />
            </dd>
          </div>
          {file.toSeller !== null && (
            <div>
              <dt className="text-12 text-ink-3">您作为卖家所得</dt>
              <dd className="text-16 font-semibold text-ink">
                <Amount yuan={file.toSeller} />
              </dd>
            </div>
          )}
        </dl>
      )}
      {way !== null && (
        <p className="border-t border-line-soft px-4 py-3 text-13 text-ink-2">
          {file.status === 'closed' ? '退款' : '裁决执行后，退款'}
          {way}。
        </p>
      )}
      <div className="grid gap-3 border-t border-line-soft px-4 py-3">
        <GoodsSummary
          title={file.bigTitle}
          gameName={file.gameName}
          typeId={file.orderTypeId}
          typeName={file.orderTypeName}
          thumbnail={file.thumbnail}
          seed={file.orderSn}
          to={orderPath(file.orderSn)}
          lines={1}
        >
          <p className="flex flex-wrap gap-x-4 gap-y-2.5 text-12 text-ink-3 md:gap-y-0">
            <span className="inline-flex gap-1">
              申诉 <CopyButton text={file.disputeSn} label="申诉编号" />
            </span>
            <Link to={orderPath(file.orderSn)} className="hit hover:text-link">
              订单 {file.orderSn}
            </Link>
            <Link to={talkPath(file.orderSn)} className="hit hover:text-link">
              进入群聊
            </Link>
            {file.staffName && <span>{staffLabel(file.staffName)}</span>}
          </p>
        </GoodsSummary>
        <CaseFacts facts={file.facts} />
        <p className="flex flex-wrap gap-x-5 gap-y-1 text-13 text-ink-2">
          <span>原因：{file.reasonName}</span>
          <span>
            诉求：{file.wantName}
            {file.wantAmount && (
              <>
                {' '}
                <Amount yuan={file.wantAmount} />
              </>
            )}
          </span>
          <span>
            商品价 <Amount yuan={file.goodsPrice} />
          </span>
        </p>
      </div>
    </section>
  );
}

/** One dispute: its state and deadline, the viewer's actions, both parties' statements, the record, the ruling. */
export function DisputePage({
  file,
  way,
  now,
}: {
  file: DisputeFile /** Where the buyer's refund goes, and when it arrives. */;
  way: string | null;
  now: string;
}) {
  useAutoRefresh(file.status !== 'closed');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Head file={file} way={way} now={now} />
      <CaseRulings rulings={file.rulings} viewer={file.viewer} />
      <CaseActions file={file} />
      <CaseStatements statements={file.statements} />
      <CaseEvidenceList evidence={file.evidence} />
      <CaseEvents events={file.events} />
    </div>
  );
}
