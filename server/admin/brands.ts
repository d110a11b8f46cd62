import {
  addBrandHost,
  changeBrandHost,
  staffBrandInfo,
  staffBrandList,
  staffCreateBrand,
} from '#subjects/distributors/contract/staff-brands.ts';
import type { Input } from '#contract/endpoint.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Command, type Office, table } from './program.ts';

const REASON = '管理命令';

/** A brand's number by code or number; a brand without a mark is the platform's. Throws BAD_INPUT. */
async function brandBy(office: Office, typed: string): Promise<number> {
  const { list } = await office.run(staffBrandList, {});
  const brand = list.find(({ code, distId }) => code === typed || String(distId) === typed);
  if (!brand) throw new AppError('BAD_INPUT', { text: '没有这个品牌，用 brands list 查看代码' });
  return brand.distId;
}

const hostCommand = (
  name: string,
  action: Input<typeof changeBrandHost>['act'],
  help: string,
  done: string,
): Command => ({
  name: `hosts ${name}`,
  usage: '品牌代码 域名',
  help,
  async run(office, args) {
    const distId = await brandBy(office, args.word(0, '品牌代码'));
    const host = args.word(1, '域名').toLowerCase();
    await office.run(changeBrandHost, { distId, host, act: action });
    return { data: { distId, host }, lines: [`${done} ${host}`] };
  },
});

export const brandCommands: readonly Command[] = [
  {
    name: 'brands list',
    usage: '',
    help: '品牌和它们的域名',
    async run(office) {
      const { list } = await office.run(staffBrandList, {});
      const rows = list.map((b) => [String(b.distId), b.code, b.name, b.hosts.join('、') || '（没有域名）']);
      return { data: { list }, lines: table(['编号', '代码', '名称', '域名'], rows) };
    },
  },
  {
    name: 'brands create',
    usage: '代码 --name 名称 [--host 域名] [--commission 佣金%] [--reason 原因]',
    help: '新建品牌，内容之后在后台的品牌页里改',
    options: ['name', 'host', 'commission', 'reason'],
    async run(office, args) {
      const commission = args.option('commission');
      const bp = Number(commission) * 100;
      if (commission !== undefined && !Number.isSafeInteger(bp))
        throw new AppError('BAD_INPUT', { text: '佣金应为百分数，最多两位小数' });
      const host = args.option('host');
      const { distId } = await office.run(staffCreateBrand, {
        code: args.word(0, '代码'),
        name: args.required('name'),
        reason: args.option('reason') ?? REASON,
        ...(host !== undefined && { host }),
        ...(commission !== undefined && { commissionBp: bp }),
      });
      return { data: { distId }, lines: [`已新建品牌，编号 ${distId}`] };
    },
  },
  {
    name: 'hosts list',
    usage: '品牌代码',
    help: '一个品牌的域名',
    async run(office, args) {
      const { hosts } = await office.run(staffBrandInfo, { distId: await brandBy(office, args.word(0, '品牌代码')) });
      const rows = hosts.map((h) => [h.host, h.isPrimary ? '主域名' : h.redirects ? '跳转到主域名' : '']);
      return { data: { hosts }, lines: table(['域名', ''], rows) };
    },
  },
  {
    name: 'hosts add',
    usage: '品牌代码 域名 [--redirects]',
    help: '给品牌加域名，--redirects 跳转到主域名',
    flags: ['redirects'],
    async run(office, args) {
      const distId = await brandBy(office, args.word(0, '品牌代码'));
      const { host } = await office.run(addBrandHost, {
        distId,
        host: args.word(1, '域名'),
        redirects: args.has('redirects') ? '1' : '0',
      });
      return { data: { distId, host }, lines: [`已添加域名 ${host}，所有节点立即生效`] };
    },
  },
  hostCommand('primary', 'primary', '设为主域名', '主域名已改为'),
  hostCommand('remove', 'remove', '移除域名', '已移除域名'),
];
