import { type SetupItem, setupSteps, type SetupStep } from '#contract/backstage-setup.ts';
import type { VendorInfo } from '#server/kernel/vendors.ts';

/** What the check list is made from. */
export interface SetupDetails {
  isNamed: boolean;
  /** Hosts that a stranger can open. */
  publicHosts: number;
  games: number;
  admins: number;
  service: number;
  reviewers: number;
  /** People who may decide on withdrawals; above the limit two are needed. */
  finance: number;
  vendors: readonly VendorInfo[];
}

const vendorText = ({ subject, label, state }: VendorInfo): string =>
  state === 'on' ? `${subject}：${label}` : state === 'off' ? `${subject}：已关闭` : `${subject}：还是演示用的替身`;

/** The check list at the end of the first start: finished and open items, each with the page on which it is done. */
export function checkList(details: SetupDetails): SetupItem[] {
  const item = (key: string, isDone: boolean, to: string, done: string, open: string): SetupItem => ({
    key,
    text: isDone ? done : open,
    isDone,
    to,
  });
  return [
    item('name', details.isNamed, '/backstage/brands', '平台已命名', '给平台起名'),
    item('hosts', details.publicHosts > 0, '/backstage/brands', '平台有公网域名', '给平台加公网域名，否则外面打不开'),
    item(
      'games',
      details.games > 0,
      '/backstage/games',
      `已有 ${details.games} 个游戏`,
      '导入或新建游戏，否则没有商品可发布',
    ),
    item(
      'admins',
      details.admins > 1,
      '/backstage/staff',
      `有 ${details.admins} 位管理员`,
      '再设一位管理员，避免手机丢失后无人能登录',
    ),
    item(
      'service',
      details.service > 0,
      '/backstage/staff',
      `有 ${details.service} 位客服`,
      '新建客服，订单和申诉要有人处理',
    ),
    item(
      'review',
      details.reviewers > 0,
      '/backstage/staff',
      `有 ${details.reviewers} 位审核`,
      '新建审核，商品上架前要有人看',
    ),
    item(
      'finance',
      details.finance > 1,
      '/backstage/staff',
      `有 ${details.finance} 人能审核提现`,
      '至少两人能审核提现，大额要复核',
    ),
    ...details.vendors.map((vendor) => ({
      key: `vendor.${vendor.key}`,
      text: vendorText(vendor),
      isDone: vendor.state !== 'stand-in',
      to: '/backstage/vendors',
    })),
    item('fees', false, '/backstage/settings', '', '核对手续费、保护期和限额'),
  ];
}

/** The first step that was neither done nor skipped. */
export const nextStep = (done: readonly SetupStep[]): SetupStep | null =>
  setupSteps.find((step) => !done.includes(step)) ?? null;
