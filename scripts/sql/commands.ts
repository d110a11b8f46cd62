/** Tells commands, which the database runs but does not prepare, from statements. */

/** Commands that return nothing and that the database does not prepare. */
const COMMAND =
  /^(?:set|reset|begin|start|commit|rollback|savepoint|release|lock|listen|unlisten|notify|analyze|vacuum|alter|create|drop|grant|revoke|truncate|do|copy|comment|refresh|reindex|explain|show|discard|checkpoint|deallocate|prepare|execute)\b/i;

/** A statement without the comments before it. */
const bareText = (text: string): string => text.replace(/^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '');

export const isCommand = (text: string): boolean => COMMAND.test(bareText(text));

/** Whether a command makes a table for its own session, which other statements may read. */
export const makesTable = (text: string): boolean => /^create\s+temp(?:orary)?\s+table\b/i.test(bareText(text));
