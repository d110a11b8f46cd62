/**
 * Findings that are not fixed yet: the search expects each of them and reports everything else. Whoever fixes one removes its line here and
 * writes its mutant (findings.ts says what the mutant has to change).
 */
import type { FindingName } from './findings.ts';

export const KNOWN: readonly FindingName[] = [];
