/** The oldest version that the migrations and the server run on. */
const OLDEST_VERSION = 160_000;

/** A Chinese sentence for a PostgreSQL that is too old; undefined for a supported one. */
export const versionProblem = (version: number, text: string): string | undefined =>
  version >= OLDEST_VERSION ? undefined : `PostgreSQL ${text} 太旧：需要 16 或更新的版本`;
