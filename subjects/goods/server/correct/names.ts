import type { Named } from './corrector.ts';

/** The part of a game that names are read from. */
interface NamedGame {
  readonly id: number;
  readonly name: string;
  readonly code: string;
  readonly aliases: readonly string[];
  readonly fields: readonly {
    readonly kind: string;
    readonly inCard: boolean;
    readonly options?: readonly { readonly label: string }[] | undefined;
  }[];
  readonly areas: readonly { readonly name: string }[];
}

/** A synonym defined by staff: a search for `term` also means `meant`. */
export interface Synonym {
  readonly term: string;
  readonly meant: string;
}

const MIN_LENGTH = 2;
const MAX_LENGTH = 20;

/** The terms of a game that people search for: options that cards show (heroes, skins, ranks), their words, and areas. */
export function gameTerms(game: NamedGame): string[] {
  const labels = [
    ...game.fields.filter((f) => f.inCard || f.kind === 'multi').flatMap((f) => (f.options ?? []).map((o) => o.label)),
    ...game.areas.map((a) => a.name),
  ];
  return [...new Set(labels)].filter((label) => label.length >= MIN_LENGTH && label.length <= MAX_LENGTH);
}

/** Everything that a keyword may refer to: games, their terms with the words in them, and the meanings of synonyms. */
export function namesOf(games: readonly NamedGame[], synonyms: readonly Synonym[]): Named[] {
  const names: Named[] = [];
  for (const game of games) {
    const own = { gameId: game.id, gameName: game.name };
    names.push({ ...own, text: game.name, isGame: true, calls: [game.name, game.code, ...game.aliases] });
    const labels = gameTerms(game);
    const words = labels
      .flatMap((label) => label.split(/[^\p{L}\p{N}.]+/u))
      .filter((word) => word.length >= MIN_LENGTH);
    for (const text of new Set([...labels, ...words])) names.push({ ...own, text, isGame: false, calls: [text] });
  }
  for (const { term, meant } of synonyms)
    names.push({ text: meant, gameId: null, gameName: '', isGame: false, calls: [term] });
  return names;
}
