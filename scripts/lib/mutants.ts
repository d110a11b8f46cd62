/** Reads Stryker's report and compares its survivors with the list of those that have a reason. */

/** A place in a file; lines and columns count from 1. */
interface Place {
  line: number;
  column: number;
}

/** A mutant as Stryker's JSON report has it. */
interface ReportedMutant {
  mutatorName: string;
  replacement?: string;
  status: string;
  /** Why a mutant has its status, as the message of an error. */
  statusReason?: string;
  location: { start: Place; end: Place };
}

/** The parts of Stryker's JSON report that are used here. */
export interface MutantReport {
  files: Record<string, { source: string; mutants: ReportedMutant[] }>;
}

/** A survivor by its text, so that a listed one is found again when lines move. */
interface SurvivorKey {
  file: string;
  /** The line in which the mutant begins. */
  code: string;
  /** That line with the mutant in place. */
  mutant: string;
}

export interface Survivor extends SurvivorKey {
  line: number;
}

/** An entry of tests/mutants/survivors.json. */
export interface ListedSurvivor extends SurvivorKey {
  /** Why no test can tell it from the original, or why none should. */
  reason: string;
}

const DETECTED = new Set(['Killed', 'Timeout']);
const UNDETECTED = new Set(['Survived', 'NoCoverage']);

/** How many of the valid mutants were detected; 100 % of none. */
export function scoreOf(mutants: readonly ReportedMutant[]): { killed: number; total: number; percent: number } {
  const killed = mutants.filter(({ status }) => DETECTED.has(status)).length;
  const total = killed + mutants.filter(({ status }) => UNDETECTED.has(status)).length;
  return { killed, total, percent: total === 0 ? 100 : (killed / total) * 100 };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function survivorOf(file: string, lines: readonly string[], { location, replacement }: ReportedMutant): Survivor {
  const { start, end } = location;
  const first = lines[start.line - 1] ?? '';
  const last = lines[end.line - 1] ?? '';
  const mutant = `${first.slice(0, start.column - 1)}${replacement ?? ''}${last.slice(end.column - 1)}`;
  return { file, line: start.line, code: oneLine(first), mutant: oneLine(mutant) };
}

/** The mutants whose run ended in one of these ways. */
function mutantsIn(report: MutantReport, statuses: ReadonlySet<string>): Survivor[] {
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.filter(({ status }) => statuses.has(status)).map((mutant) => survivorOf(file, lines, mutant));
  });
}

const keyOf = ({ file, code, mutant }: SurvivorKey): string => JSON.stringify([file, code, mutant]);

/** The list as this run found it: without the stale entries, and with the new survivors, whose reasons are yet to be written. */
export function updatedList(
  listed: readonly ListedSurvivor[],
  { unlisted, stale }: { unlisted: readonly Survivor[]; stale: readonly ListedSurvivor[] },
): ListedSurvivor[] {
  const gone = new Set(stale.map(keyOf));
  const added = new Map(
    unlisted.map(({ file, code, mutant }) => [keyOf({ file, code, mutant }), { file, code, mutant, reason: '' }]),
  );
  const kept = listed.filter((entry) => !gone.has(keyOf(entry)));
  return [...kept, ...added.values()].toSorted((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
}

/**
 * The survivors that are not listed, and the listed ones that a test killed or that are gone. A listed one that ran out of time is neither: one
 * that is only slower does so on a busy machine.
 */
export function compareSurvivors(
  report: MutantReport,
  listed: readonly ListedSurvivor[],
): { unlisted: Survivor[]; stale: ListedSurvivor[] } {
  const known = new Set(listed.map(keyOf));
  const left = new Set(mutantsIn(report, new Set([...UNDETECTED, 'Timeout'])).map(keyOf));
  return {
    unlisted: mutantsIn(report, UNDETECTED).filter((survivor) => !known.has(keyOf(survivor))),
    stale: listed.filter((entry) => !left.has(keyOf(entry))),
  };
}
