import { settingSpec, typedSetting } from '#subjects/settings/rules/settings.ts';
import { unitOf } from '#subjects/settings/rules/setting-fields.ts';
import { AppError } from '#server/kernel/errors.ts';
import { listSettings, setSetting, settingState } from '#subjects/settings/server/service.ts';
import { type Command, table, UsageError } from './program.ts';

/** Fields as typed: `sellerBp=6`. Throws UsageError. */
function typedOf(words: readonly string[]): Record<string, string> {
  if (words.length === 0) throw new UsageError('缺少要改的内容，如 sellerBp=6');
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1) throw new UsageError(`“${word}”应写成 字段=值`);
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

/** A moment; China's time zone is the default. Throws BAD_INPUT. */
function momentOf(typed: string | undefined): Date | null {
  if (typed === undefined) return null;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(typed);
  const moment = new Date(hasZone ? typed : `${typed.trim().replace(' ', 'T')}+08:00`);
  if (Number.isNaN(moment.getTime()))
    throw new AppError('BAD_INPUT', { text: '--from 看不懂，写成 “2026-12-01 00:00”（中国时间）' });
  return moment;
}

export const settingCommands: readonly Command[] = [
  {
    name: 'settings list',
    usage: '',
    help: '可以修改的设置',
    async run({ ctx }) {
      const states = await listSettings(ctx.db);
      const list = states.map(({ spec, current, pending }) => ({
        key: spec.key,
        name: spec.name,
        version: current.version,
        pending: pending?.validFrom ?? null,
      }));
      const rows = list.map((s) => [s.key, s.name, `第 ${s.version} 版`, s.pending ? '有待生效的改动' : '']);
      return { data: { list }, lines: table(['键', '名称', '版本', ''], rows) };
    },
  },
  {
    name: 'settings get',
    usage: '键',
    help: '一项设置的各个字段',
    async run({ ctx }, args) {
      const { spec, current, pending } = await settingState(ctx.db, args.word(0, '设置的键'));
      const typed = typedSetting(spec, current.value);
      const rows = spec.fields.map((field) => [
        field.path,
        `${typed[field.path] ?? ''}${unitOf(field.type)}`,
        field.label,
      ]);
      const data = {
        key: spec.key,
        name: spec.name,
        version: current.version,
        values: typed,
        pending: pending ?? null,
      };
      return { data, lines: [spec.name, ...table(['字段', '值', '含义'], rows)] };
    },
  },
  {
    name: 'settings set',
    usage: '键 字段=值… --reason 原因 [--from 生效时间]',
    help: '修改设置，立即或从一个时间起生效',
    options: ['reason', 'from'],
    async run({ ctx, call }, args) {
      const key = args.word(0, '设置的键');
      const typed = typedOf(args.words.slice(1));
      const spec = settingSpec(key);
      const unknown = Object.keys(typed).find((path) => spec?.fields.every((field) => field.path !== path));
      if (spec && unknown !== undefined)
        throw new AppError('BAD_INPUT', { text: '没有这个字段，用 settings get 查看', field: `values.${unknown}` });
      const reason = args.required('reason');
      const from = momentOf(args.option('from'));
      const result = await setSetting(ctx, { key, typed, from, reason, staffId: call.staff.id, ip: call.ip });
      const lines = Object.entries(result.changed).map(([path, [before, after]]) => `  ${path}：${before} → ${after}`);
      const when = from === null ? '立即生效' : `从 ${args.option('from') ?? ''} 起生效`;
      return {
        data: result,
        lines: [`已保存第 ${result.version} 版，${when}`, ...(lines.length > 0 ? lines : ['  没有改动'])],
      };
    },
  },
];
