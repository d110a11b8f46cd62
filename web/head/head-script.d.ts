/** A classic script as text, compiled from a file and what it imports (`web/build/head-script.ts`). */
declare module '*?head-script' {
  const text: string;
  export default text;
}
