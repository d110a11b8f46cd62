import { cf } from './games/cf.ts';
import { dnf } from './games/dnf.ts';
import { dwrg } from './games/dwrg.ts';
import { hpjy } from './games/hpjy.ts';
import { jxqys } from './games/jxqys.ts';
import { lol } from './games/lol.ts';
import { lscs } from './games/lscs.ts';
import { lzhx } from './games/lzhx.ts';
import { mc } from './games/mc.ts';
import { mygwzd } from './games/mygwzd.ts';
import { qqsg } from './games/qqsg.ts';
import { qzwz } from './games/qzwz.ts';
import { sjz } from './games/sjz.ts';
import { tymyd } from './games/tymyd.ts';
import { wow, wowhj } from './games/wow.ts';
import { wwqy } from './games/wwqy.ts';
import { wzry } from './games/wzry.ts';
import { xtlbb } from './games/xtlbb.ts';
import { yhzt } from './games/yhzt.ts';
import { yqlzy } from './games/yqlzy.ts';
import { ys } from './games/ys.ts';
import { yys } from './games/yys.ts';
import { zyq } from './games/zyq.ts';
import type { GameSeed } from './types.ts';

/** The catalogue that a new market starts with: the specification's twenty codes and four games that peers trade most, by id. */
export const GAMES: readonly GameSeed[] = [
  dnf,
  wzry,
  lol,
  cf,
  jxqys,
  yys,
  mygwzd,
  yhzt,
  tymyd,
  xtlbb,
  wow,
  hpjy,
  yqlzy,
  wowhj,
  zyq,
  lscs,
  qqsg,
  lzhx,
  dwrg,
  qzwz,
  ys,
  mc,
  sjz,
  wwqy,
];

/** Game by its code; throws RangeError for a code that the catalogue does not have. */
export function gameByCode(code: string): GameSeed {
  const game = GAMES.find((g) => g.code === code);
  if (game === undefined) throw new RangeError(`no game ${code}`);
  return game;
}
