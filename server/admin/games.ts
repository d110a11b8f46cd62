import { readFile, writeFile } from 'node:fs/promises';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  catalogue,
  exportGames,
  importGames,
  type ImportReport,
  type ImportSource,
  listShippedGames,
} from '#subjects/games/server/service.ts';
import { type Answer, type Arguments, type Command, type Office, table } from './program.ts';

const STATES = { new: '新', changed: '有改动', same: '相同' } as const;
const REASON = '管理命令';

/** A report as a response: the changes that were or would be made, or each error with its line. */
function reportAnswer(report: ImportReport): Answer {
  if (report.errors.length > 0) {
    const lines = report.errors.map(({ line, path, text }) =>
      `${line === null ? '' : `第 ${line} 行 `}${path} ${text}`.trim(),
    );
    return { data: report, failed: true, lines: [`文件有 ${report.errors.length} 处错误，什么都没有导入：`, ...lines] };
  }
  const rows = report.games.map((game) => [game.code, game.name, STATES[game.state], `${game.changes.length} 处改动`]);
  const head = report.applied ? '已导入：' : '试读通过，没有写入：';
  return { data: report, lines: [head, ...table(['编码', '游戏', '', ''], rows)] };
}

async function bring({ ctx, call }: Office, source: ImportSource, args: Arguments): Promise<Answer> {
  const reason = args.option('reason') ?? REASON;
  const apply = !args.has('try');
  return reportAnswer(await importGames(ctx, source, { apply, staffId: call.staff.id, reason, ip: call.ip }));
}

async function loadText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw errorOf('NOT_FOUND', 'file');
  }
}

export const gameCommands: readonly Command[] = [
  {
    name: 'games list',
    usage: '',
    help: '目录里的游戏',
    async run({ ctx }) {
      const list = (await catalogue(ctx)).list().map(({ id, code, name }) => ({ id, code, name }));
      return {
        data: { list },
        lines: table(
          ['编号', '编码', '游戏'],
          list.map((g) => [String(g.id), g.code, g.name]),
        ),
      };
    },
  },
  {
    name: 'games shipped',
    usage: '',
    help: '随程序附带、可以导入的游戏',
    run: () => {
      const list = listShippedGames();
      const rows = list.map((g) => [g.code, g.name, `${g.areas} 个大区`, `${g.servers} 个服`]);
      return Promise.resolve({ data: { list }, lines: table(['编码', '游戏', '', ''], rows) });
    },
  },
  {
    name: 'games load',
    usage: '编码… | --all [--try] [--reason 原因]',
    help: '导入附带的游戏，--try 只试',
    options: ['reason'],
    flags: ['all', 'try'],
    async run(office, args) {
      if (!args.has('all')) args.word(0, '游戏编码，或 --all');
      return await bring(office, { shipped: args.has('all') ? 'all' : args.words }, args);
    },
  },
  {
    name: 'games import',
    usage: '文件 [--try] [--reason 原因]',
    help: '导入一个文件里的游戏，有一处错误就都不导入；--try 只试',
    options: ['reason'],
    flags: ['try'],
    async run(office, args) {
      return await bring(office, { file: await loadText(args.word(0, '文件')) }, args);
    },
  },
  {
    name: 'games export',
    usage: '[编码…] [--to 文件]',
    help: '把游戏写成一个文件，不写编码则全部',
    options: ['to'],
    async run({ ctx }, args) {
      const file = await exportGames(ctx, args.words.length === 0 ? 'all' : args.words);
      const to = args.option('to');
      if (to === undefined) return { data: JSON.parse(file) as unknown, lines: [file.trimEnd()] };
      try {
        await writeFile(to, file);
      } catch {
        throw new AppError('BAD_INPUT', { text: '文件写不进去，请检查路径和权限' });
      }
      return { data: { to }, lines: [`已写入 ${to}`] };
    },
  },
];
