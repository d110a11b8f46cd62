import * as c from '#subjects/games/contract/staff-games.ts';
import type { Data } from '#contract/endpoint.ts';
import type { GameDoc } from '#subjects/games/contract/game-doc.ts';
import type { TestApp, TestStaff } from '../servers/build.ts';
import type { CallResult } from '../servers/client.ts';

const step = { minutes: 10, evidence: false, required: true, explain: '按说明操作' };

/** The account steps that a complete game needs in addition to its fields. */
export const account = {
  glyph: '试',
  handover: {
    accounts: [
      {
        ...step,
        key: 'credentials',
        title: '提交账号资料',
        actor: 'seller',
        beforeShip: true,
        secret: true,
        fields: [{ key: 'account', required: true }],
      },
      { ...step, key: 'accept', title: '验收', actor: 'buyer', beforeShip: false },
    ],
    deliveries: [],
  },
};

/** Lets the events of a publication, and those that they write, be heard. */
export async function meet(t: TestApp): Promise<void> {
  for (let i = 0; i < 3; i++) await t.relay();
}

/** Edits games as the back office's pages do. */
export interface GameEditor {
  info: (gameId?: number) => Promise<Data<typeof c.staffGameInfo>>;
  /** Edits the present document (draft or published) and saves it. */
  save: (edit: (doc: GameDoc) => void, gameId?: number) => Promise<CallResult<Data<typeof c.saveGameDraft>>>;
  publish: (gameId?: number, open?: boolean) => Promise<CallResult<Data<typeof c.publishGame>>>;
  dropDraft: (gameId?: number) => Promise<void>;
}

/** The game editor as one member of staff; game 1 unless another is named. */
export function gameEditor(staff: TestStaff): GameEditor {
  const info = async (gameId = 1) => await staff.client.ok(c.staffGameInfo, { gameId });
  return {
    info,
    async save(edit, gameId = 1) {
      const { draft, doc, version } = await info(gameId);
      const next = structuredClone(draft?.doc ?? doc);
      edit(next);
      const at = { gameId, rev: draft?.rev ?? 0, base: draft?.base ?? version };
      return await staff.client.call(c.saveGameDraft, { ...at, doc: next });
    },
    async publish(gameId = 1, open = true) {
      const { draft, version } = await info(gameId);
      const input = { gameId, rev: draft?.rev ?? 0, version, reason: '测试发布', open };
      return await staff.client.call(c.publishGame, input);
    },
    async dropDraft(gameId = 1) {
      const { draft } = await info(gameId);
      if (draft) await staff.client.ok(c.dropGameDraft, { gameId, rev: draft.rev });
    },
  };
}

/** The fixtures' games have no steps; a complete game has. */
export const complete = (doc: GameDoc): void =>
  void Object.assign(doc, structuredClone(account), { goodsTypes: [{ id: 1, name: '账号' }] });
