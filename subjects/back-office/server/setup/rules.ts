import { chinaDay } from '#contract/rules/time/china-time.ts';
import { type SetupItem, setupSteps, type SetupStep } from '#subjects/back-office/contract/setup.ts';
import type { VendorInfo } from '#server/kernel/vendors.ts';

/** The inputs of the checklist. */
export interface SetupDetails {
  isNamed: boolean;
  /** Hosts that are publicly reachable. */
  publicHosts: number;
  games: number;
  admins: number;
  service: number;
  reviewers: number;
  /** Number of people who may decide on withdrawals; above the limit two are required. */
  finance: number;
  vendors: readonly VendorInfo[];
  /** Whether this is a trial, in which no real vendor may be set. */
  isTrial: boolean;
  /** The newest test of a vendor by its key; undefined without a test. */
  trialOf: (vendorKey: string) => { ok: boolean; at: Date } | undefined;
  /** Number of completed base backups. */
  backups: number;
  /** Whether staff published their own rule or agreement. */
  hasOwnTexts: boolean;
  completedOrders: number;
  /** Whether the audit head is archived outside this machine, and whether metrics can be read. */
  mailsAudit: boolean;
  hasMetrics: boolean;
}

/** Web push uses our own keys, so a test would prove nothing. */
const needsTrial = ({ key }: VendorInfo): boolean => !/^(push|link-push|search)/.test(key);

/** A vendor of the settings. It is done when it is deliberately off, or when a test of it succeeded. */
function vendorItem(vendor: VendorInfo, { trialOf, isTrial }: SetupDetails): Omit<SetupItem, 'to'> {
  const { subject, label, state } = vendor;
  const key = `vendor.${vendor.key}`;
  if (state === 'off') return { key, text: `${subject}：已关闭`, isDone: true, canTry: false };
  if (state === 'stand-in' && isTrial)
    return { key, text: `${subject}：试运行用替身，正式开张时再接`, isDone: true, canTry: true };
  if (state === 'stand-in') return { key, text: `${subject}：还是演示用的替身`, isDone: false, canTry: true };
  const name = `${subject}：${label}`;
  if (!needsTrial(vendor)) return { key, text: name, isDone: true, canTry: vendor.key.startsWith('push') };
  const result = trialOf(vendor.key);
  if (!result) return { key, text: `${name}，还没有试过`, isDone: false, canTry: true };
  const at = chinaDay(result.at);
  return { key, text: `${name}，${at} 试用${result.ok ? '成功' : '失败'}`, isDone: result.ok, canTry: true };
}

/** An item with its text for each state. */
const item = (key: string, isDone: boolean, to: string, done: string, open: string): SetupItem => ({
  key,
  text: isDone ? done : open,
  isDone,
  to,
});

/** The items that each market must provide itself: texts, backups, external monitoring, a test order. */
function ownItems(details: SetupDetails): SetupItem[] {
  return [
    item(
      'texts',
      details.hasOwnTexts,
      '/backstage/rules',
      '已发布自己的规则或协议',
      '核对公开规则和用户协议，改成自己的并发布',
    ),
    item(
      'backup',
      details.backups > 0,
      '/backstage/jobs',
      `做过 ${details.backups} 次备份`,
      '运行 npm run backup 做第一次备份；BACKUP_KEY 要在此之前设好，并和备份分开保存',
    ),
    item(
      'watch',
      details.hasMetrics && details.mailsAudit,
      '/backstage/audit',
      '监控和操作记录的外部存证已设置',
      '设置 METRICS_TOKEN（监控）和 AUDIT_MAIL（操作记录的外部存证）',
    ),
    item(
      'order',
      details.completedOrders > 0,
      '/backstage/orders',
      `完成过 ${details.completedOrders} 笔订单`,
      '用每个支付渠道走一笔试单：发布、购买、交付、确认、提现',
    ),
  ];
}

/** The checklist at the end of the first start: finished and open items, each with the page for completing it. */
export function checkList(details: SetupDetails): SetupItem[] {
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
    ...details.vendors.map((vendor) => ({ ...vendorItem(vendor, details), to: '/backstage/vendors' })),
    ...ownItems(details),
    item('fees', false, '/backstage/settings', '', '核对手续费、保护期和限额'),
  ];
}

/** The first step that was neither done nor skipped. */
export const nextStep = (done: readonly SetupStep[]): SetupStep | null =>
  setupSteps.find((step) => !done.includes(step)) ?? null;
