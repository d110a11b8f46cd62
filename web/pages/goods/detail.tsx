export default function P() {
  return <p>detail</p>;
}
