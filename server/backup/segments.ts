/** Names of PostgreSQL's WAL files, and their locations in an archive. */
const FOLDER = 'wal/';
const PARTIAL = '.partial';
const HEX = 16;
const WORD = 8;
const FOUR_GIB = 0x1_00_00_00_00n;

const hex = (value: bigint | number): string => value.toString(HEX).toUpperCase().padStart(WORD, '0');

/** `000000010000000000000003`: the file that contains a position. */
export function segmentName(timeline: number, lsn: bigint, segmentBytes: number): string {
  const perWord = FOUR_GIB / BigInt(segmentBytes);
  const number = lsn / BigInt(segmentBytes);
  return hex(timeline) + hex(number / perWord) + hex(number % perWord);
}

/** Start position of the file that contains a position. */
export const segmentStart = (lsn: bigint, segmentBytes: number): bigint => lsn - (lsn % BigInt(segmentBytes));

/** Name in the archive of a whole file, or of a growing one. */
export const objectOf = (segment: string, isPartial = false): string =>
  `${FOLDER}${segment}${isPartial ? PARTIAL : ''}`;

export interface StoredSegment {
  readonly segment: string;
  readonly isPartial: boolean;
}

/** The WAL file of an object name; undefined if the name is not one. */
export function segmentOf(object: string): StoredSegment | undefined {
  const match = /^wal\/([0-9A-F]{24})(\.partial)?$/.exec(object);
  return match ? { segment: match[1] ?? '', isPartial: match[2] !== undefined } : undefined;
}

export const SEGMENTS = FOLDER;
/** The timeline part of a name. */
export const timelineOf = (segment: string): string => segment.slice(0, WORD);
