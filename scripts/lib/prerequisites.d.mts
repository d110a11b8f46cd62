export const root: string;
export function findNode(): string;
