import { Download } from 'lucide-react';
import { Form, Link } from 'react-router';
import { billGroupNames, billGroups } from '#subjects/ledger/rules/bill.ts';
import { Button, ButtonLink, buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { type BillState, billInput, billPath, DIRECTIONS, isFiltered, lastDays, RANGES } from './bill-query.ts';

/**
 * Filters of the bill: direction and period as links; kind, days and order as a form. All are in the URL, and the export applies the same
 * filters.
 */
export function BillFilters({ state, path, today }: { state: BillState; path: string; today: string }) {
  const download = `/api/pay/billExport?${new URLSearchParams(billInput(state))}`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-b border-line-soft px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
        {DIRECTIONS.map(({ direction, label }) => (
          <Link
            key={label}
            to={billPath(path, { ...state, direction })}
            className={cx('pick', direction === state.direction && 'pick-on')}
            aria-current={direction === state.direction ? 'true' : undefined}
            preventScrollReset
          >
            {label}
          </Link>
        ))}
        <span className="mx-1 h-4 w-px bg-line" aria-hidden="true" />
        {RANGES.map((days) => {
          const to = lastDays(state, days, today);
          const on = to.minTime === state.minTime && to.maxTime === state.maxTime;
          return (
            <Link
              key={days}
              to={billPath(path, on ? { ...state, minTime: null, maxTime: null } : to)}
              className={cx('pick', on && 'pick-on')}
              aria-current={on ? 'true' : undefined}
              preventScrollReset
            >
              近 {days} 天
            </Link>
          );
        })}
        <a href={download} download className={cx(buttonClass({ size: 'sm' }), 'ml-auto')}>
          <Download className="icon size-3.5" aria-hidden="true" />
          导出 CSV
        </a>
      </div>
      <Form key={billPath(path, state)} role="search" className="flex flex-wrap items-center gap-2" preventScrollReset>
        {state.account !== 'available' && <input type="hidden" name="account" value={state.account} />}
        {state.direction && <input type="hidden" name="direction" value={state.direction} />}
        <Select small name="kind" aria-label="类型" defaultValue={state.kind ?? ''} className="w-28">
          <option value="">全部类型</option>
          {billGroups.map((kind) => (
            <option key={kind} value={kind}>
              {billGroupNames[kind]}
            </option>
          ))}
        </Select>
        <span className="inline-flex items-center gap-1 text-12 text-ink-3 max-md:w-full">
          <Input
            small
            type="date"
            name="minTime"
            aria-label="开始日期"
            max={today}
            defaultValue={state.minTime ?? ''}
            className="min-w-0 max-md:flex-1 md:w-34"
          />
          至
          <Input
            small
            type="date"
            name="maxTime"
            aria-label="结束日期"
            max={today}
            defaultValue={state.maxTime ?? ''}
            className="min-w-0 max-md:flex-1 md:w-34"
          />
        </span>
        <Input
          small
          name="orderSn"
          aria-label="订单编号"
          placeholder="订单编号"
          maxLength={32}
          defaultValue={state.orderSn ?? ''}
          className="w-44"
        />
        <Button size="sm" type="submit">
          筛选
        </Button>
        {isFiltered(state) && (
          <ButtonLink
            size="sm"
            kind="ghost"
            to={state.account === 'available' ? path : `${path}?account=${state.account}`}
          >
            清除
          </ButtonLink>
        )}
      </Form>
    </div>
  );
}
