import type { ComponentProps } from 'react';
import { OrdersPage } from '#subjects/orders/center/orders-page.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import type { Role } from './role.ts';

/** The viewer's orders as the provider of a service. */
export function OrdersOfRole({ role, data }: { role: Role; data: ComponentProps<typeof OrdersPage>['data'] }) {
  return (
    <OrdersPage
      data={data}
      path={role.orders}
      title={`${role.service}订单`}
      isOneType
      empty={{
        title: `还没有${role.service}订单`,
        text: '套餐通过审核后，买家下单会在这里和消息里提醒您，请在时限内接单。',
        action: (
          <ButtonLink to={role.packages} kind="primary">
            管理套餐
          </ButtonLink>
        ),
      }}
    />
  );
}
