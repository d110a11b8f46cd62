/** Environment variables without the empty ones: a setting left empty (`SECRET=`, as in deploy/env.example) counts as not set. */
export const nonEmptySettings = (source: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
