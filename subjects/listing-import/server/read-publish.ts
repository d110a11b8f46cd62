import type { Parsed } from '#contract/endpoint.ts';
import { releaseGoods } from '#subjects/goods/contract/goods.ts';
import { checkAttrs } from '#subjects/games/rules/attrs.ts';
import type { Field } from '#subjects/games/contract/games.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { yuanLabel, yuanText } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { findField, findGame, findRegion, type ListedField, readValue, readYesNo } from '#server/import/matching.ts';
import { countText } from '#server/import/numbers.ts';
import { readPrice } from '#server/import/price.ts';
import { sha256 } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Game } from '#subjects/games/server/service.ts';
import { checkedOffer } from '#subjects/goods/server/service.ts';
import { detailKey, fieldsFor } from './targets.ts';

export interface Problem {
  field: string;
  text: string;
}

/** The values of a row, by target. */
export type Values = Readonly<Record<string, string>>;
export type PublishInput = Parsed<typeof releaseGoods>;

export interface PublishReading {
  problems: Problem[];
  /** Values that will be stored differently from the cell. */
  notes: string[];
  /** Set when there is no problem. */
  input?: PublishInput;
}

interface Sink {
  problems: Problem[];
  notes: string[];
}

const textOf = (values: Values, key: string): string => values[key]?.trim() ?? '';

function yesNo(values: Values, key: string, label: string, sink: Sink): boolean | undefined {
  const cell = textOf(values, key);
  if (cell === '') return undefined;
  const read = readYesNo(cell);
  if (read === undefined) sink.problems.push({ field: key, text: `${label}应写“是”或“否”` });
  return read;
}

/** Attributes from their own columns, and from the one that holds several. Attributes unknown to the game are added to the description. */
function readDetails(values: Values, fields: readonly ListedField[], sink: Sink) {
  const details: Record<string, unknown> = {};
  const leftOver: string[] = [];
  const take = (field: ListedField, cell: string, from: string): void => {
    const reading = readValue(field, cell);
    if ('error' in reading) sink.problems.push({ field: from, text: reading.error });
    else {
      details[field.key] = reading.value;
      if (reading.deviation !== null) sink.notes.push(`${field.label}读作 ${String(reading.value)}`);
    }
  };
  for (const field of fields) {
    const cell = textOf(values, detailKey(field));
    if (cell !== '') take(field, cell, detailKey(field));
  }
  for (const part of textOf(values, 'attrs').split(/[;；\n]/)) {
    const [label = '', ...rest] = part.split(/[:：=]/);
    const value = rest.join(':').trim();
    if (label.trim() === '' || value === '') continue;
    const field = findField(fields, label);
    if (!field) {
      leftOver.push(`${label.trim()}：${value}`);
      sink.notes.push(`“${label.trim().slice(0, 20)}”不是该游戏的属性，移到描述`);
    } else if (details[field.key] === undefined) take(field, value, 'attrs');
  }
  return { details, leftOver };
}

function readPlace(values: Values, game: Game, sink: Sink): { areaId?: number; serverId?: number } {
  if (game.areas.length === 0) return {};
  const cell = textOf(values, 'place');
  const region = findRegion(game, cell);
  if (!region) {
    sink.problems.push({ field: 'place', text: cell === '' ? '请填写区服' : '该游戏没有这个区服' });
    return {};
  }
  if (region.deviation !== null) sink.notes.push(`区服读作 ${region.area}/${region.server}`);
  return {
    ...(region.areaId !== null && { areaId: region.areaId }),
    ...(region.serverId !== null && { serverId: region.serverId }),
  };
}

function readAsked(values: Values, sink: Sink): string {
  const reading = readPrice(textOf(values, 'price'));
  if ('error' in reading) {
    sink.problems.push({ field: 'price', text: reading.error });
    return '';
  }
  if (reading.deviation !== null) sink.notes.push(`价格读作 ${yuanLabel(reading.fen)} 元`);
  return yuanText(reading.fen);
}

/** A field of the publishing form as a target of the file. */
const targetOf = (field: string): string => (field === 'areaId' || field === 'serverId' ? 'place' : field);

/** The input of the publishing form from a row; unreadable values are reported to `sink`. */
function formOf(values: Values, game: Game, typeId: number, sink: Sink): Record<string, unknown> {
  const fields = fieldsFor(game, typeId);
  const isAccount = accountTypes.includes(typeId);
  const named = textOf(values, 'game');
  if (named !== '' && findGame([game], named) === undefined)
    sink.problems.push({ field: 'game', text: `这一行不是${game.name}` });
  if (textOf(values, 'code').length > 64) sink.problems.push({ field: 'code', text: '商家编号不能超过 64 个字' });
  const { details, leftOver } = readDetails(values, fields, sink);
  for (const [key, text] of checkAttrs(fields as readonly Field[], details).errors) {
    const field = `details.${key}`;
    if (!sink.problems.some((p) => p.field === field)) sink.problems.push({ field, text });
  }
  const account = textOf(values, 'accountNo').normalize('NFKC');
  if (isAccount && account === '')
    sink.problems.push({ field: 'accountNo', text: '请填写游戏账号（用于防止同一账号重复发布）' });
  const changed = yesNo(values, 'passwordChanged', '已修改密码', sink);
  return {
    gameId: game.id,
    goodsTypeId: typeId,
    bigTitle: textOf(values, 'bigTitle').replace(/\s+/g, ' '),
    description: [textOf(values, 'description'), ...leftOver].filter((t) => t !== '').join('\n'),
    price: readAsked(values, sink),
    stock: countText(textOf(values, 'stock')) || '1',
    ...readPlace(values, game, sink),
    details,
    ...(isAccount && account !== '' && { accountNo: account }),
    bargainOpen: yesNo(values, 'bargainOpen', '接受议价', sink) ?? false,
    ensureOpen: yesNo(values, 'ensureOpen', '支持包赔', sink) ?? true,
    ...(changed === true && { passwordChanged: true }),
  };
}

/**
 * Reads a row as the publishing form would send it and checks it by the form's own rules: the schema of the call, the fields of the game,
 * and the filter of words and contacts. All problems found in one pass are returned, each with its target.
 */
export function readPublish(
  ctx: Pick<Context, 'blockedWords'>,
  { game, typeId }: { game: Game; typeId: number },
  values: Values,
): PublishReading {
  const sink: Sink = { problems: [], notes: [] };
  const raw = formOf(values, game, typeId, sink);
  const parsed = releaseGoods.input.safeParse(raw);
  for (const issue of parsed.error?.issues ?? []) {
    const field = targetOf(
      issue.path
        .map(String)
        .slice(0, issue.path[0] === 'details' ? 2 : 1)
        .join('.'),
    );
    if (!sink.problems.some((p) => p.field === field)) sink.problems.push({ field, text: issue.message });
  }
  if (parsed.success)
    try {
      const offer = checkedOffer(ctx.blockedWords, game, typeId, parsed.data);
      for (const { label, sentences } of offer.findings)
        sink.notes.push(`${label}里的“${(sentences[0] ?? '').slice(0, 30)}”会被删去或由审核人员查看`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const one of error.errors ?? [{ field: error.field ?? '', msg: error.text }]) {
        const field = targetOf(one.field);
        if (!sink.problems.some((p) => p.field === field)) sink.problems.push({ field, text: one.msg });
      }
    }
  if (sink.problems.length > 0 || !parsed.success) return sink;
  return { ...sink, input: parsed.data };
}

/** The key that identifies a row's listing for its seller: the seller's own number, otherwise its values. */
export function importKeyOf(values: Values, input: PublishInput): string {
  const code = textOf(values, 'code');
  if (code !== '') return code;
  const { bigTitle, gameId, goodsTypeId, areaId, serverId, accountNo, details } = input;
  const text = JSON.stringify([bigTitle, gameId, goodsTypeId, areaId, serverId, accountNo, details]);
  return `row:${sha256(text).toString('base64url').slice(0, 32)}`;
}
