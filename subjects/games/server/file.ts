import { GAME_FILE_FORMAT, GAME_FILE_VERSION, type GameDoc, gameFile } from '#subjects/games/contract/game-doc.ts';
import { linesOfJson } from './json-lines.ts';

/** Why a file is rejected: the line and path of each error. `line` is null only when the path is not in the file. */
export interface FileError {
  line: number | null;
  path: string;
  text: string;
}

const MAX_ERRORS = 200;

/** The line of a path, or of the nearest enclosing value: a missing key is reported at its object. */
function lineOf(lines: ReadonlyMap<string, number>, path: string): number | null {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
    if (at === '') return null;
  }
}

export interface ReadFile {
  games: GameDoc[];
  errors: FileError[];
  /** Locates an error of a game by its path in the document. */
  locate: (game: number, path: string, text: string) => FileError;
}

/** Reads a file of games. Never throws for its contents: errors are in `errors`, by line and path, in the order of the file. */
export function readGameFile(text: string): ReadFile {
  const none = (errors: FileError[]): ReadFile => ({
    games: [],
    errors,
    locate: () => ({ line: null, path: '', text: '' }),
  });
  const parsed = linesOfJson(text);
  if ('error' in parsed) return none([{ line: parsed.line, path: '', text: parsed.error }]);
  const { value, lines } = parsed;
  const result = gameFile.safeParse(value);
  const at = (path: string, message: string): FileError => ({ line: lineOf(lines, path), path, text: message });
  if (!result.success) {
    const errors = result.error.issues.flatMap((issue) => {
      const path = issue.path.map(String).join('.');
      if (issue.code !== 'unrecognized_keys') return [at(path, issue.message)];
      return issue.keys.map((key) => at(path === '' ? key : `${path}.${key}`, '没有这一项'));
    });
    return none(errors.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).slice(0, MAX_ERRORS));
  }
  return {
    games: result.data.games,
    errors: [],
    locate: (game, path, message) => at(path === '' ? `games.${game}` : `games.${game}.${path}`, message),
  };
}

/** Games as the text of a file, indented so that two files can be compared by line. Uploaded icons are not part of it. */
export function gameFileText(games: readonly { id: number; doc: GameDoc }[]): string {
  const docs = games.map(({ id, doc }) => ({ id, ...doc, icon: undefined }));
  return `${JSON.stringify({ format: GAME_FILE_FORMAT, version: GAME_FILE_VERSION, games: docs }, null, 1)}\n`;
}
