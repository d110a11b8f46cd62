import { grouped } from '#contract/rules/amounts.ts';
import { deadLetterList, decideDeadLetter } from '#subjects/back-office/contract/dead-letters.ts';
import { quarantineState, releaseQuarantine } from '#subjects/back-office/contract/quarantine.ts';
import { ENCRYPTED_TABLES } from '#server/encrypted-tables.ts';
import { rotateKeys } from '#server/secrets/rotate.ts';
import { openSetup } from '#subjects/back-office/server/service.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type Answer, type Command, type Office, table, UsageError } from './program.ts';

async function decide(office: Office, word: string, action: 'again' | 'discard', reason: string): Promise<Answer> {
  const id = Number(word);
  if (!Number.isSafeInteger(id) || id < 1) throw new UsageError('任务编号应为整数，用 jobs list 查看');
  await office.run(decideDeadLetter, { id, act: action, reason });
  return { data: { id, act: action }, lines: [action === 'again' ? '已重新排队' : '已放弃'] };
}

const rotate: Command['run'] = async ({ ctx }) => {
  const rotation = await rotateKeys(ctx, { tables: ENCRYPTED_TABLES });
  const { keyId, wrapped, values, broken } = rotation;
  return {
    data: rotation,
    failed: broken.length > 0,
    lines: [
      `密钥已换到第 ${keyId} 把：重新包裹 ${wrapped} 把，重新加密 ${values} 个值`,
      ...broken.map((row) => `打不开，原样保留：${row}`),
    ],
  };
};
const ROTATE_HELP = '换数据密钥并重新加密，运行中进行；换 SECRET 时先设好新旧两个';

export const systemCommands: readonly Command[] = [
  { name: 'keys rotate', usage: '', help: ROTATE_HELP, run: rotate },
  { name: 'rotate-key', usage: '', help: '同 keys rotate', run: rotate },
  {
    name: 'jobs list',
    usage: '[--decided]',
    help: '多次失败、等待处理的任务',
    flags: ['decided'],
    async run(office, args) {
      const page = await office.run(deadLetterList, { status: args.has('decided') ? 'decided' : 'open', pageSize: 50 });
      const rows = page.list.map((job) => [
        String(job.id),
        job.title,
        job.ref,
        String(job.attempts),
        job.lastTime,
        job.error,
      ]);
      return {
        data: page,
        lines:
          page.total === 0 ? ['没有失败的任务'] : table(['编号', '任务', '对象', '次数', '最近失败', '原因'], rows),
      };
    },
  },
  {
    name: 'jobs again',
    usage: '编号 --reason 原因',
    help: '重新执行',
    options: ['reason'],
    run: async (office, args) => await decide(office, args.word(0, '任务编号'), 'again', args.required('reason')),
  },
  {
    name: 'jobs drop',
    usage: '编号 --reason 原因',
    help: '放弃',
    options: ['reason'],
    run: async (office, args) => await decide(office, args.word(0, '任务编号'), 'discard', args.required('reason')),
  },
  {
    name: 'restore check',
    usage: '',
    help: '恢复后的检查：账目是否相符，隔离着什么',
    async run(office) {
      const [{ current }, broken] = await Promise.all([
        office.run(quarantineState, {}),
        brokenInvariants(office.ctx.db),
      ]);
      const held = current
        ? [
            `数据截至 ${current.restoredTo}，处于隔离`,
            `到期任务 ${current.jobs.reduce((sum, { count }) => sum + count, 0)} 个，事件 ${current.events.reduce((sum, { count }) => sum + count, 0)} 个`,
            `提现 ${current.withdrawals.count} 笔 ${grouped(current.withdrawals.amount)} 元，退款 ${current.refunds.count} 笔 ${grouped(current.refunds.amount)} 元`,
          ]
        : ['没有处于恢复隔离'];
      return {
        data: { quarantine: current, broken },
        failed: broken.length > 0,
        lines: [broken.length === 0 ? '账目全部相符' : `账目不平：\n${broken.join('\n')}`, ...held],
      };
    },
  },
  {
    name: 'restore release',
    usage: '--reason 原因',
    help: '放行恢复隔离，到期任务、通知和打款随即开始',
    options: ['reason'],
    async run(office, args) {
      await office.run(releaseQuarantine, { reason: args.required('reason') });
      return { data: {}, lines: ['已放行'] };
    },
  },
  {
    name: 'setup',
    usage: '',
    help: '再给一个首次设置的一次性地址（还没有管理员时）',
    async run({ ctx }) {
      const setup = await openSetup(ctx);
      if (!setup)
        return {
          data: null,
          failed: true,
          lines: ['已有管理员，不需要首次设置；忘记登录方式请用 staff reset-password'],
        };
      return { data: setup, lines: [`首次设置的一次性地址：\n  ${setup.address}`] };
    },
  },
];
