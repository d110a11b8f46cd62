import type { staffOrderDetail } from '#subjects/orders/contract/staff-orders.ts';
import type { Data } from '#contract/endpoint.ts';
import { FeeLines } from '../../web/parts/money/fee-lines.tsx';
import { MoneyCard } from '../../web/parts/money/money-card.tsx';
import { DrawerPart } from '#subjects/back-office/staff/list/drawer.tsx';

/** Where the money of an order is, and its parts. `now` is a time in API format. */
export default function DrawerMoney({ order, now }: { order: Data<typeof staffOrderDetail>; now: string }) {
  return (
    <>
      <div className="list-money">
        <MoneyCard money={order.money} now={now} />
      </div>
      <DrawerPart title="费用">
        <FeeLines
          lines={order.lines}
          total={order.totalPrice}
          totalLabel={order.payTime ? '买家实付' : '买家应付'}
          rules="folded"
          className=""
        />
      </DrawerPart>
    </>
  );
}
