import { pinyin } from 'pinyin-pro';
import type { GameDoc, StepDoc } from '#subjects/games/contract/game-doc.ts';
import { goodsTypeIds, COMPUTER_GAME, MOBILE_GAME } from '#contract/rules/catalogue.ts';
import { deliveriesFor, passSteps } from '#db/catalogue/handover.ts';

/** Defaults of a new game: the usual steps for accounts and for each other goods type, to be adapted by staff. */
export const usualSteps: { accounts: StepDoc[]; deliveries: GameDoc['handover']['deliveries'] } = {
  accounts: passSteps('游戏', '账号内容'),
  deliveries: deliveriesFor(goodsTypeIds),
};

const MAX_PINYIN = 60;
const MAX_INITIALS = 20;

/** The pinyin of a name: whole, its initials, and the letter that it is listed under. Letters and digits of the name are kept. Never empty. */
export function pinyinOf(name: string): { pinyin: string; initials: string; initial: string } {
  const syllables = pinyin(name, { toneType: 'none', type: 'array', v: true, nonZh: 'consecutive' })
    .map((s) => s.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .filter((s) => s !== '');
  const whole = syllables.join('').slice(0, MAX_PINYIN) || 'x';
  const initials = syllables.map((s) => (/^\d+$/.test(s) ? s : s.slice(0, 1))).join('') || 'x';
  const letter = /[a-z]/.exec(whole)?.[0] ?? 'x';
  return { pinyin: whole, initials: initials.slice(0, MAX_INITIALS), initial: letter.toUpperCase() };
}

/** A hue that depends on the name, so that new games do not all look the same. */
const hueOfName = (name: string): number => [...name].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) % 360, 7);

/**
 * The initial document of a new game: names, pinyin and the usual steps of an account; with `like`, the goods types, form and steps of that
 * game, as on offer now.
 */
export function starterDoc(
  { name, code, gameType }: { name: string; code: string; gameType: number },
  like: GameDoc | undefined,
): GameDoc {
  const { accounts } = usualSteps;
  const form = like
    ? {
        goodsTypes: like.goodsTypes,
        defaultType: like.defaultType,
        fields: like.fields
          .filter((f) => !f.retired)
          .map((f) => ({ ...f, ...(f.options && { options: f.options.filter((o) => !o.retired) }) })),
        handover: like.handover,
        coinUnit: like.coinUnit,
        coinRatio: like.coinRatio,
        scene: like.scene,
      }
    : {
        goodsTypes: [{ id: 1, name: '账号' }],
        defaultType: 1,
        fields: [],
        handover: { accounts: [...accounts], deliveries: [] },
        coinUnit: null,
        coinRatio: null,
        scene: 'ridge' as const,
      };
  return {
    code,
    name,
    aliases: [],
    gameType: gameType === COMPUTER_GAME ? COMPUTER_GAME : MOBILE_GAME,
    ...pinyinOf(name),
    glyph: [...name][0] ?? '',
    hue: hueOfName(name),
    icon: null,
    hot: 0,
    areas: [],
    ...form,
  };
}
