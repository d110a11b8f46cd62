/** The settings that are given: one that was left empty (`SECRET=`, as in deploy/env.example) is not. */
export const givenIn = (source: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
