import { useEffect, useRef, useState } from 'react';
import { dropGameDraft, saveGameDraft, staffGameInfo, staffGameVersion } from '#subjects/games/contract/staff-games.ts';
import { codes } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { type GameDoc, gameDoc } from '#subjects/games/contract/game-doc.ts';
import { type GameProblem, gameProblems } from '../../rules/game-check.ts';
import { type GamePart, gamePartNames, isSame } from '../../rules/game-diff.ts';
import { mergeGames } from '../../rules/game-merge.ts';
import { isApiFailure } from '#web/lib/api/api-failure.ts';
import { call } from '#web/lib/api/api.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';

export type GameInfo = Data<typeof staffGameInfo>;
type Change = GameInfo['changes'][number];

/** Delay between the last keystroke and saving. */
const SAVE_AFTER_MS = 900;

/** The state on the server: the document last saved, its number, and the response. */
interface Saved {
  doc: GameDoc;
  rev: number;
  base: number;
  time: string | null;
  by: string | null;
  problems: readonly GameProblem[];
  changes: readonly Change[];
}

const savedOf = (info: GameInfo): Saved => ({
  doc: info.draft?.doc ?? info.doc,
  rev: info.draft?.rev ?? 0,
  base: info.draft?.base ?? info.version,
  time: info.draft?.time ?? null,
  by: info.draft && !info.draft.isMine ? info.draft.staffName : null,
  problems: info.problems,
  changes: info.changes,
});

/** The merge result after another person's save, until the editor has reviewed it. */
export interface Conflict {
  text: string;
  /** The document with the other person's values for parts that both changed. */
  theirs: GameDoc | null;
}

/** Structural errors, by path; the other checks run when there are none. */
function faultsOf(doc: GameDoc): GameProblem[] {
  const result = gameDoc.safeParse(doc);
  if (!result.success) return result.error.issues.map(({ path, message }) => ({ path: path.join('.'), text: message }));
  return gameProblems(doc);
}

/** Messages by path: those of the browser's check, and those of the server as long as the text is the one it checked. */
function errorsOf(own: readonly GameProblem[], saved: Saved, doc: GameDoc): FormErrors {
  const errors: Record<string, string> = {};
  const known = isSame(saved.doc, doc) ? saved.problems : [];
  for (const { path, text } of [...own, ...known]) errors[path] ??= text;
  return errors;
}

/** The current server state, with the local changes applied to it. */
async function metOther(gameId: number, saved: Saved, doc: GameDoc, text: string) {
  const theirs = savedOf(await call(staffGameInfo, { gameId }, { quiet: true }));
  const { doc: merged, clashes } = mergeGames(saved.doc, doc, theirs.doc);
  const { doc: other } = mergeGames(saved.doc, theirs.doc, doc);
  return { saved: theirs, doc: merged, conflict: describe(text, clashes, other) };
}

/** Saves the document some time after the last keystroke, and detects another person's save. */
function useSaving({ gameId, may }: GameInfo, initial: Saved) {
  const [saved, setSaved] = useState(initial);
  const [doc, setDoc] = useState<GameDoc>(initial.doc);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const running = useRef(false);
  const isDirty = !isSame(doc, saved.doc);
  const isDue = may.edit && isDirty && conflict === null && gameDoc.safeParse(doc).success;
  useEffect(() => {
    if (!isDue || running.current) return;
    const send = async () => {
      try {
        const done = await call(saveGameDraft, { gameId, rev: saved.rev, base: saved.base, doc }, { quiet: true });
        setSaved({ ...saved, doc, ...done, by: null });
        setFailed(null);
      } catch (error) {
        if (!isApiFailure(error) || error.code !== codes.GAME_CHANGED[0]) throw error;
        const met = await metOther(gameId, saved, doc, error.msg);
        setSaved(met.saved);
        setDoc(met.doc);
        setConflict(met.conflict);
      }
    };
    const timer = setTimeout(() => {
      running.current = true;
      send()
        .catch((error: unknown) => setFailed(error instanceof Error ? error.message : '暂时保存不了'))
        .finally(() => {
          running.current = false;
          // Input typed during the save is saved next.
          setRound((n) => n + 1);
        });
    }, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [gameId, isDue, saved, doc, round]);
  return { saved, setSaved, doc, setDoc, conflict, setConflict, failed, isDirty };
}

/**
 * The document in the editor: changed as typed, saved on the server some time after the last keystroke. When two editors conflict, the second
 * gets an error, both inputs are merged, and nothing is saved until the second editor has reviewed the result.
 */
export function useGameForm(info: GameInfo) {
  const { gameId } = info;
  const [initial] = useState(() => savedOf(info));
  const { saved, setSaved, doc, setDoc, conflict, setConflict, failed, isDirty } = useSaving(info, initial);
  const drop = useMutation(dropGameDraft, { toasts: true });
  const own = faultsOf(doc);
  return {
    info,
    doc,
    saved,
    isDirty,
    conflict,
    failed,
    errors: errorsOf(own, saved, doc),
    problems: own.length > 0 ? own : isDirty ? [] : saved.problems,
    changes: saved.changes,
    disabled: !info.may.edit,
    change: (part: Partial<GameDoc>) => setDoc((now) => ({ ...now, ...part })),
    /** Resumes saving after another person's save; `theirs` takes that person's values. */
    settle: (theirs: GameDoc | null) => {
      if (theirs) setDoc(theirs);
      setConflict(null);
    },
    /** Rebases the draft on a newer published version. */
    rebase: async () => {
      const { doc: before } = await call(staffGameVersion, { gameId, version: Math.max(1, saved.base) });
      const { doc: merged, clashes } = mergeGames(before, doc, info.doc);
      const { doc: other } = mergeGames(before, info.doc, doc);
      setSaved({ ...saved, base: info.version });
      setDoc(merged);
      setConflict(describe(`已合并线上第 ${info.version} 版`, clashes, other));
    },
    drop: async () => await drop.send({ gameId, rev: saved.rev }),
    dropping: drop.busy,
  };
}
export type GameForm = ReturnType<typeof useGameForm>;

function describe(text: string, clashes: readonly GamePart[], theirs: GameDoc): Conflict {
  if (clashes.length === 0) return { text: `${text}；两边的改动已合在一起，看过后再保存`, theirs: null };
  const names = clashes.map((part) => gamePartNames[part]).join('、');
  return { text: `${text}；两边都改了${names}，现在是您的值`, theirs };
}
