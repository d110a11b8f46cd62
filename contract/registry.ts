/** Every declared call, in groups for the reference page. A file of calls is added here once; its calls come along by themselves. */
import * as backstage from './backstage.ts';
import * as common from './common.ts';
import * as dist from './dist.ts';
import type { Endpoint } from './endpoint.ts';
import * as goods from './goods.ts';
import * as im from './im.ts';
import * as imStaff from './im-staff.ts';
import * as order from './order.ts';
import * as pay from './pay.ts';
import * as user from './user.ts';

export interface EndpointGroup {
  /** Stands in addresses of the reference page. */
  readonly name: string;
  readonly title: string;
  readonly endpoints: readonly Endpoint[];
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'input' in value;
}

function group(name: string, title: string, ...modules: readonly object[]): EndpointGroup {
  return { name, title, endpoints: modules.flatMap((module) => Object.values(module).filter(isEndpoint)) };
}

/** The calls by subject, in the order of the specification's list. */
export const endpointGroups: readonly EndpointGroup[] = [
  group('user', '用户', user),
  group('goods', '商品', goods),
  group('order', '订单', order),
  group('im', '聊天', im),
  group('common', '公共', common),
  group('dist', '站点', dist),
  group('pay', '支付', pay),
  group('backstage', '后台', backstage, imStaff),
];

/** Every declared call. A server answers those that it binds; see the document it serves. */
export const endpoints: readonly Endpoint[] = endpointGroups.flatMap((g) => g.endpoints);
