export const CHOICES: Readonly<Record<string, readonly string[]>>;
export const NUMBERS: Readonly<Record<string, readonly [number, number]>>;
export const BEGINNINGS: Readonly<Record<string, string>>;
export const NEEDS: readonly { readonly name: string; readonly choice: string; readonly needed: readonly string[] }[];
export function prefixedSettings(env: NodeJS.ProcessEnv): Record<string, string>;
export function isProduction(env: NodeJS.ProcessEnv): boolean;
export function earlyProblems(env: NodeJS.ProcessEnv): string[];
