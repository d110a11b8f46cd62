import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import {
  bookPayoutResults,
  enterPayoutResults,
  payoutListFile,
  payoutListInfo,
} from '#subjects/payments/contract/staff-payouts.ts';
import { nextPayoutResults } from '../rules/payout-methods.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { saveText } from '#web/lib/media/save-file.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { BackHead } from '#subjects/back-office/staff/parts/back-head.tsx';
import { PayoutLineRow, type TypedResult } from './payout-line-row.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '打款名单明细', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call, staff } = market(args);
  const info = await call(payoutListInfo, { listSn: args.params.sn ?? '' });
  return { ...info, canAct: staffCan(staff, 'payout.book') };
}

type Lines = Awaited<ReturnType<typeof loader>>['lines'];

/** The results being typed, and their submission; errors are shown at their lines, and the input is kept. */
function useEntry(listSn: string, lines: Lines) {
  const [typed, setTyped] = useState<Readonly<Record<number, TypedResult>>>({});
  const entries = lines.flatMap(({ lineId, lineNo }) => {
    const one = typed[lineId];
    return one === undefined || one.result === ''
      ? []
      : [{ lineId, lineNo, result: one.result, detail: one.detail.trim() }];
  });
  const fields = Object.fromEntries(entries.map(({ lineId }, i) => [`lines.${i}.detail`, `line${lineId}`]));
  const { busy, errors, send } = useMutation(enterPayoutResults, {
    fields,
    revalidates: true,
    check: () => ({
      send: entries.length === 0 ? '请先选择至少一行的结果' : undefined,
      ...Object.fromEntries(
        entries
          .filter(({ detail }) => detail.length < 2)
          .map(({ lineId, result }) => [
            `line${lineId}`,
            result === 'paid' ? '请填写银行流水号' : '请填写原因，用户会看到',
          ]),
      ),
    }),
    done: ({ count }) => {
      toast(`已登记 ${count} 行，等另一位同事复核`, 'ok');
      setTyped({});
    },
  });
  const enter = () =>
    void send({ listSn, lines: entries.map(({ lineId, result, detail }) => ({ lineId, result, detail })) });
  const set = (lineId: number, one: TypedResult) => setTyped({ ...typed, [lineId]: one });
  return { typed, set, enter, busy, errors, count: entries.length };
}

/** Confirms the entries of colleagues that are on the page. */
function BookButton({ listSn, lines }: { listSn: string; lines: Lines }) {
  const open = lines.filter(({ draftResult, isMine }) => draftResult !== null && !isMine);
  const { busy, error, send, setErrors } = useMutation(bookPayoutResults, {
    revalidates: 'always',
    done: ({ booked, failed }) => {
      if (booked > 0) toast(`已复核入账 ${booked} 行`, 'ok');
      if (failed[0]) setErrors({ send: `${failed.length} 行没有入账：${failed[0].text}` });
    },
  });
  if (open.length === 0) return error && <FormError className="basis-full">{error}</FormError>;
  return (
    <>
      <Button
        kind="primary"
        busy={busy}
        onClick={() => void send({ listSn, lines: open.map(({ lineId, draftNo }) => ({ lineId, draftNo })) })}
      >
        复核入账 {open.length} 行
      </Button>
      <FormError className="basis-full">{error}</FormError>
    </>
  );
}

function DownloadButton({ listSn }: { listSn: string }) {
  const { busy, error, send } = useMutation(payoutListFile, {
    done: ({ name, text }) => saveText(name, text),
  });
  return (
    <>
      <Button busy={busy} onClick={() => void send({ listSn })}>
        下载 CSV
      </Button>
      <FormError className="basis-full">{error}</FormError>
    </>
  );
}

/** A list for the bank: its file, the bank's result for each line, and the confirmation by a second person. */
export default function PayoutListPage() {
  const { list, lines, canAct } = useLoaderData<typeof loader>();
  const { typed, set, enter, busy, errors, count } = useEntry(list.listSn, lines);
  const canEnter = canAct && lines.some(({ result }) => nextPayoutResults(result).length > 0);
  return (
    <>
      <BackHead to="/backstage/payouts" name="打款名单">
        <h1>{list.listSn}</h1>
        <p>
          {list.lineCount} 笔，合计 <Amount yuan={list.total} />，{list.createdBy} {fullAt(list.createTime)} 导出
        </p>
        {canAct && (
          <span className="ml-auto flex flex-wrap gap-2 max-lg:ml-0">
            <DownloadButton listSn={list.listSn} />
            <BookButton listSn={list.listSn} lines={lines} />
          </span>
        )}
      </BackHead>
      <section className="panel overflow-hidden" aria-label="名单明细">
        <AdminTable columns={['行', '收款人', { num: '金额' }, '编号', '结果', '登记']}>
          {lines.map((line) => (
            <PayoutLineRow
              key={line.lineId}
              line={line}
              canEnter={canAct}
              typed={typed[line.lineId] ?? { result: '', detail: '' }}
              error={errors[`line${line.lineId}`]}
              onType={(one) => set(line.lineId, one)}
            />
          ))}
        </AdminTable>
        {canEnter && (
          <div className="flex flex-wrap items-center gap-3 border-t border-line-soft p-4">
            <Button kind="primary" busy={busy} onClick={enter}>
              {count > 0 ? `登记 ${count} 行` : '登记结果'}
            </Button>
            <p className="text-12 text-ink-3">登记后不入账，另一位同事复核后才记到用户的提现上。</p>
            <FormError>{errors.send}</FormError>
          </div>
        )}
      </section>
    </>
  );
}
