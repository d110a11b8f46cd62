import { exchangeKinds, type ExchangeMove } from '../../../rules/exchange.ts';
import type { Exchange } from './handover-step.ts';

type Move = Exchange['moves'][number];

const NAMES = { buyer: '买家', seller: '卖家' } as const;

/** The label of a move's party; the viewer is addressed directly. */
export const partyOf = ({ actor, mine }: Pick<Move, 'actor' | 'mine'>): string => (mine ? '您' : NAMES[actor]);

const other = (party: 'buyer' | 'seller'): 'buyer' | 'seller' => (party === 'buyer' ? 'seller' : 'buyer');

/** The last four digits of a phone number, or a mail address with its middle hidden. */
export const hintEnd = (hint: string): string => (hint.includes('@') ? hint : `尾号 ${hint.slice(-4)}`);

/** The title of a move, from the viewer's side. */
export function moveTitle(exchange: Pick<Exchange, 'kind' | 'operator'>, { move, mine, state }: Move): string {
  const { target, old, fresh, game } = exchangeKinds[exchange.kind];
  const source = exchange.operator === 'seller' ? fresh : old;
  const isA = exchange.operator === 'seller';
  const titles: Readonly<Record<ExchangeMove, string>> = {
    target: state === 'done' ? `${target}已封存` : mine ? `封存您的${target}` : `等买家封存${target}`,
    start: isA ? `在游戏里点「${game}」，填${old}的码` : `登录游戏点「${game}」，把验证码发到${old}`,
    code: mine ? `填${source}刚收到的验证码` : `${source}收到的验证码`,
    finish: isA ? '把码填进游戏，传成功截图' : `把码填进游戏，绑上您自己的${fresh}`,
  };
  return move === 'finish' && !isA && !mine ? `把码填进游戏，绑上自己的${fresh}` : titles[move];
}

/** The hint of a move: where the code goes, why the move is due again, or who is waiting for what. */
export function moveNote(exchange: Exchange, { move, actor, mine, state }: Move): string {
  const { old, target } = exchangeKinds[exchange.kind];
  const reader = NAMES[other(actor)];
  if (move === 'target') {
    if (exchange.isTargetRefused)
      return mine ? '卖家反映这个号码已被占用或不能用，请换一个' : '您已反映这个号码不能用，等买家换一个';
    if (state === 'done') return '';
    return mine ? '只有卖家能查看，换绑完成后清除' : `买家封存后，在这里查看${target}`;
  }
  if (move === 'start') {
    if (state !== 'current')
      return exchange.operator === 'seller' && state === 'done'
        ? `${old}的码由${mine ? '您' : '卖家'}自己填，不经过${mine ? '买家' : '您'}`
        : '';
    if (exchange.isCodeMissing)
      return mine ? '对方没有收到验证码，请在游戏里重新获取一次' : '您没收到验证码，等对方重新获取';
    if (exchange.code === 'expired')
      return mine ? '验证码已过期，请在游戏里重新获取一次' : '验证码已过期，等对方重新获取';
    if (exchange.operator !== 'seller') return '';
    return mine
      ? `${old}的码由您自己填，不经过买家；点到「获取验证码」后告诉买家`
      : '卖家正在游戏里操作，验证码会发到您的号码';
  }
  if (move === 'code') {
    const who = mine ? reader : '您';
    if (state === 'done') return exchange.code === 'read' ? `${who}已查看` : `已封存，等${who}查看`;
    if (state === 'waiting') return '';
    if (!mine) return '到了会出现在这里，10 分钟内有效，看过即失效';
    const where =
      exchange.targetHint === null || exchange.operator === 'buyer' ? '' : `发到${hintEnd(exchange.targetHint)}。`;
    return `${where}封存后只有${reader}能看，10 分钟内有效，看过即失效`;
  }
  return state === 'waiting' && mine ? '对方封存验证码后才能开始' : '';
}
