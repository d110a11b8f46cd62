export default function P() {
  return <p>list</p>;
}
