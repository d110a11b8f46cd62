/**
 * Puts values in the place of globals, as `vi.stubGlobal` does, and returns what undoes it. A test without `vi` runs in the fast process of the
 * mutation tests (tests/mutants/node-runner.ts).
 */
export function putGlobals(values: Readonly<Record<string, unknown>>): () => void {
  const former = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of former)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
  };
}
